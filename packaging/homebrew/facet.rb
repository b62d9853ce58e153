# Homebrew: brew install --build-from-source ./packaging/homebrew/facet.rb
#
# tools/release fills in address and checksum of the tarball.
class Facet < Formula
  desc "Binary mesh files that a renderer can use as they lie on disk"
  homepage "https://example.org/facet"
  url "https://example.org/facet/facet-@VERSION@.tar.gz"
  sha256 "@SHA256@"
  license "MIT"

  depends_on "cmake" => :build
  depends_on "ninja" => :build
  depends_on "pkgconf" => :build
  depends_on "assimp"
  depends_on "draco"
  depends_on "jpeg-turbo"
  depends_on "libdeflate"
  depends_on "libspng"
  depends_on "libzip"
  depends_on "lz4"
  depends_on "meshoptimizer"
  depends_on "qhull"
  depends_on "sdl2"
  depends_on "webp"
  depends_on "xz"
  depends_on "zstd"

  uses_from_macos "python" => :build
  uses_from_macos "bzip2"
  uses_from_macos "zlib"

  def install
    system "cmake", "-G", "Ninja", "-S", ".", "-B", "build", *std_cmake_args
    system "cmake", "--build", "build"
    system "cmake", "--install", "build"
  end

  test do
    (testpath/"a.obj").write "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"
    system bin/"facet", "convert", "a.obj", "a.bsm"
    system bin/"facet", "check", "a.bsm"
  end
end
