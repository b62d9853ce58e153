// bench/bench_gx.cpp - benchmark of GX textures.
//
// - Decode, compared with memcpy of the result and with libsquish.
// - Encode CMPR, compared with libsquish's range fit, also in signal to noise.
//
// Decoding repeats one texture of 512 x 512, into the same memory.
#include "support/bench.h"

#include <facet/facet.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>
#ifdef HAVE_SQUISH
#include <squish.h>
#endif

namespace
{

constexpr uint32_t side = 512;
constexpr size_t texels = side * side;
constexpr int repeats = 200, textures = 20, rounds = 7;

struct material {
    std::vector<uint8_t> rgba;           // a generated photograph
    std::vector<uint8_t> data, dxt;      // rgba, encoded
    std::vector<uint8_t> out, other_out; // results of decoding
    facet_gx_texture texture;
    const facet_threads *threads;
};

// Waves of several lengths and colors with noise: neither flat nor random, like a photograph.
std::vector<uint8_t> make_image()
{
    std::vector<uint8_t> rgba(texels * 4);
    uint32_t state = 1;
    for (uint32_t i = 0; i < texels; i++) {
        double x = i % side, y = i / side;
        for (int c = 0; c < 3; c++) {
            state = state * 1664525u + 1013904223u;
            double v = 128 + 60 * std::sin(x * (0.02 + 0.013 * c)) * std::cos(y * 0.031) +
                       30 * std::sin((x + y) * 0.21 + c) + (double)(state >> 27) - 16;
            rgba[i * 4 + (size_t)c] = (uint8_t)(v < 0 ? 0 : v > 255 ? 255 : v);
        }
        rgba[i * 4 + 3] = 255;
    }
    return rgba;
}

void encode(material &m, facet_gx_format format)
{
    size_t size = 0;
    facet_gx_texture_size(format, side, side, 1, &size, nullptr);
    m.data.resize(size);
    m.texture = {};
    m.texture.format = format;
    m.texture.width = m.texture.height = side;
    m.texture.levels = 1;
    const facet_gx_pixels pixels = {m.rgba.data(), side * 4, side, side};
    const facet_gx_target target = {format, nullptr, m.data.data(), size};
    if (facet_gx_encode(&pixels, nullptr, nullptr, &target, nullptr))
        std::exit(1);
    m.texture.data = m.data.data();
    m.texture.size = size;
}

long run_decode(void *user)
{
    material &m = *static_cast<material *>(user);
    facet_gx_decode(&m.texture, 0, nullptr, m.out.data(), side * 4, nullptr);
    bench_start();
    for (int i = 0; i < repeats; i++) {
        if (facet_gx_decode(&m.texture, 0, nullptr, m.out.data(), side * 4, nullptr))
            return -1;
    }
    bench_stop();
    return m.out[texels];
}

long run_copy(void *user)
{
    material &m = *static_cast<material *>(user);
    std::memcpy(m.other_out.data(), m.out.data(), texels * 4);
    bench_start();
    for (int i = 0; i < repeats; i++) {
        std::memcpy(m.other_out.data(), m.out.data(), texels * 4);
        __asm__ volatile("" : : "r"(m.other_out.data()) : "memory");
    }
    bench_stop();
    return m.other_out[texels];
}

long run_encode(void *user)
{
    material &m = *static_cast<material *>(user);
    facet_options options = {};
    options.threads = m.threads;
    for (int i = 0; i < textures; i++) {
        const facet_gx_pixels pixels = {m.rgba.data(), side * 4, side, side};
        const facet_gx_target target = {FACET_GX_CMPR, nullptr, m.data.data(), m.texture.size};
        if (facet_gx_encode(&pixels, nullptr, &options, &target, nullptr))
            return -1;
    }
    return m.data[0];
}

long run_encode_threads(void *user)
{
    material m = *static_cast<material *>(user);
    // Threads do not survive a fork, so the job creates its own.
    if (facet_threads_create(2, &m.threads, nullptr))
        return -1;
    long result = run_encode(&m);
    facet_threads_free(m.threads);
    return result;
}

#ifdef HAVE_SQUISH
long run_squish_decode(void *user)
{
    material &m = *static_cast<material *>(user);
    squish::CompressImage(m.rgba.data(), side, side, m.dxt.data(),
                          squish::kDxt1 | squish::kColourRangeFit);
    bench_start();
    for (int i = 0; i < repeats / 20; i++)
        squish::DecompressImage(m.out.data(), side, side, m.dxt.data(), squish::kDxt1);
    bench_stop();
    return m.out[texels];
}

long run_squish_encode(void *user)
{
    material &m = *static_cast<material *>(user);
    for (int i = 0; i < textures; i++)
        squish::CompressImage(m.rgba.data(), side, side, m.dxt.data(),
                              squish::kDxt1 | squish::kColourRangeFit);
    return m.dxt[0];
}
#endif

double ratio(const material &m)
{
    double sum = 0;
    for (size_t i = 0; i < texels * 4; i++) {
        double d = i % 4 == 3 ? 0 : (double)m.rgba[i] - m.out[i];
        sum += d * d;
    }
    return 10 * std::log10(255.0 * 255.0 * 3 * (double)texels / sum);
}

} // namespace

int main()
{
    // libsquish is built with OpenMP, whose threads do not survive a fork either. This process must
    // not call it before the last job has run.
    setenv("OMP_NUM_THREADS", "1", 1);
    material m;
    m.rgba = make_image();
    m.out.resize(texels * 4);
    m.other_out.resize(texels * 4);
    m.threads = nullptr;
    const double bytes = (double)texels * 4 * repeats;

    static const facet_gx_format formats[] = {FACET_GX_CMPR,   FACET_GX_RGBA32, FACET_GX_RGB5A3,
                                              FACET_GX_RGB565, FACET_GX_IA8,    FACET_GX_I4};
    for (facet_gx_format format : formats) {
        encode(m, format);
        bench_job jobs[] = {{}, {}};
        char title[64];
        std::snprintf(title, sizeof title, "Decoding %s, %d times", facet_gx_format_name(format),
                      repeats);
        jobs[0].name = "facet_gx_decode";
        jobs[0].run = run_decode;
        jobs[1].name = "memcpy of what comes out";
        jobs[1].run = run_copy;
        jobs[0].user = jobs[1].user = &m;
        bench_compare(title, jobs, 2, rounds, bytes);
    }

    encode(m, FACET_GX_CMPR);
    bench_job encoding[3] = {};
    size_t count = 2;
    encoding[0].name = "facet_gx_encode, one thread";
    encoding[0].run = run_encode;
    encoding[1].name = "facet_gx_encode, two threads";
    encoding[1].run = run_encode_threads;
    encoding[0].user = encoding[1].user = encoding[2].user = &m;
#ifdef HAVE_SQUISH
    m.dxt.resize((size_t)squish::GetStorageRequirements(side, side, squish::kDxt1));
    encoding[2].name = "libsquish, range fit, one thread";
    encoding[2].run = run_squish_encode;
    count = 3;
#endif
    bench_compare("Encoding 20 textures of 512 x 512 as CMPR", encoding, count, rounds,
                  (double)texels * 4 * textures);
    facet_gx_decode(&m.texture, 0, nullptr, m.out.data(), side * 4, nullptr);
    const double noise = ratio(m);
#ifdef HAVE_SQUISH
    bench_job decoding[2] = {};
    decoding[0].name = "libsquish, DXT1, 10 times";
    decoding[0].run = run_squish_decode;
    decoding[0].user = &m;
    bench_compare("Decoding by libsquish", decoding, 1, rounds, bytes / 20);
    run_squish_encode(&m);
    squish::DecompressImage(m.out.data(), side, side, m.dxt.data(), squish::kDxt1);
    std::printf("\nSignal to noise of CMPR: %.2f dB, of libsquish's DXT1: %.2f dB\n", noise,
                ratio(m));
#else
    std::printf("\nSignal to noise of CMPR: %.2f dB\n", noise);
#endif
    return 0;
}
