# Homebrew: brew install --build-from-source ./packaging/homebrew/facet.rb
class Facet < Formula
  desc "Binary mesh files that a renderer can use as they lie on disk"
  homepage "https://example.org/facet"
  license "MIT"
  head "file:///path/to/facet", using: :git

  depends_on "cmake" => :build
  depends_on "ninja" => :build
  depends_on "pkg-config" => :build
  depends_on "assimp" => :recommended
  depends_on "sdl2" => :recommended
  depends_on "draco" => :recommended
  depends_on "jpeg-turbo"
  depends_on "libdeflate"
  depends_on "libzip"
  depends_on "lz4"
  depends_on "meshoptimizer"
  depends_on "qhull"
  depends_on "xz"
  depends_on "zstd"

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
