/* facet/facet.hpp - the library for C++17: owning handles, spans, and failures
 * as exceptions. It adds no logic: every handle gives the pointer of the C
 * library (get()), whose headers are the reference, and the two mix freely.
 *
 *     facet::scene scene = facet::load("spider.obj");
 *     facet::save_path(scene, "spider.bsm");
 */
#ifndef FACET_FACET_HPP
#define FACET_FACET_HPP

#include <facet/facet.h>

#include <cstddef>
#include <memory>
#include <stdexcept>
#include <string>

namespace facet
{

/* -- Spans -------------------------------------------------------------- */

/* `count` values from `data` on. The span does not own them. */
template <typename Value> struct span {
    const Value *data = nullptr;
    std::size_t count = 0;

    const Value *begin() const noexcept
    {
        return data;
    }
    const Value *end() const noexcept
    {
        return data + count;
    }
    std::size_t size() const noexcept
    {
        return count;
    }
    bool empty() const noexcept
    {
        return count == 0;
    }
    const Value &operator[](std::size_t index) const noexcept
    {
        return data[index];
    }
};

/* -- Errors ------------------------------------------------------------- */

/* The error that a C function reported; what() is its sentence. */
class error : public std::runtime_error
{
  public:
    explicit error(const facet_error &cause) : std::runtime_error(cause.message), cause_(cause)
    {
    }
    facet_status status() const noexcept
    {
        return cause_.status;
    }
    const char *rule() const noexcept
    {
        return cause_.rule;
    }
    const facet_error &cause() const noexcept
    {
        return cause_;
    }

  private:
    facet_error cause_;
};

/* Throw if a function of the C library failed: check(facet_x(..., &e), e). */
inline void check(facet_status status, const facet_error &cause)
{
    if (status != FACET_OK)
        throw error(cause);
}

/* -- Handles ------------------------------------------------------------ */

/* A pointer of the C library. The function that its header names frees it. */
template <typename Handle, void (*Free)(Handle *)> struct freer {
    void operator()(Handle *handle) const noexcept
    {
        Free(handle);
    }
};
template <typename Handle, void (*Free)(Handle *)>
using handle = std::unique_ptr<Handle, freer<Handle, Free>>;

using file = handle<facet_file, facet_file_close>;
using output = handle<facet_output, facet_output_free>;
using scene = handle<facet_scene, facet_scene_free>;
using report = handle<facet_report, facet_report_free>;
using threads = handle<const facet_threads, facet_threads_free>;
using packed = handle<facet_packed, facet_packed_free>;
using model = handle<facet_model, facet_model_free>;
using bsm = handle<facet_bsm, facet_bsm_free>;
using iqm = handle<facet_iqm, facet_iqm_free>;
using bga = handle<facet_bga, facet_bga_free>;
using binarymesh = handle<facet_binarymesh, facet_binarymesh_free>;
using bpx = handle<facet_bpx, facet_bpx_free>;
using ply = handle<facet_ply, facet_ply_free>;
using stl = handle<facet_stl, facet_stl_free>;
#ifdef FACET_EXPERIMENTAL
using description = handle<facet_description, facet_description_free>;
using j3d = handle<facet_j3d, facet_j3d_free>;
#endif

inline file open(const char *path, const facet_options *options = nullptr)
{
    facet_file *made = nullptr;
    facet_error cause;
    check(facet_file_open(path, options, &made, &cause), cause);
    return file(made);
}

/* The file as a source, valid as long as the file. */
inline facet_source source(const file &from)
{
    return facet_file_source(from.get());
}

/* Bytes as a source, valid as long as the bytes and the name. */
inline facet_source source(const void *data, std::size_t size, const char *name = nullptr)
{
    return facet_source_from_memory(data, size, name);
}

inline report make_report()
{
    facet_report *made = nullptr;
    facet_error cause;
    check(facet_report_create(nullptr, &made, &cause), cause);
    return report(made);
}

/* Create a pool of `count` threads; 0: one per processor. */
inline threads make_threads(unsigned count = 0)
{
    const facet_threads *made = nullptr;
    facet_error cause;
    check(facet_threads_create(count, &made, &cause), cause);
    return threads(made);
}

inline output make_output(const char *path)
{
    facet_output *made = nullptr;
    facet_error cause;
    check(facet_output_open(path, &made, &cause), cause);
    return output(made);
}

/* Create an output in memory with a name; written() returns its bytes. */
inline output make_output_in_memory(const char *name)
{
    facet_output *made = nullptr;
    facet_error cause;
    check(facet_output_open_memory(nullptr, &made, &cause), cause);
    output owner(made);
    check(facet_output_set_name(made, name, &cause), cause);
    return owner;
}

/* The bytes of an output in memory, valid until it is freed. */
inline span<std::uint8_t> written(const facet_output &from)
{
    return {facet_output_data(&from), static_cast<std::size_t>(facet_output_size(&from))};
}

inline void commit(const output &to)
{
    facet_error cause;
    check(facet_output_commit(to.get(), &cause), cause);
}

/* -- Any format to any other -------------------------------------------- */

/* Entry of the format table. Throws if the name is unknown. */
inline const facet_format &format(const char *name)
{
    const facet_format *found = facet_format_named(name);
    if (!found)
        throw std::invalid_argument(std::string("no format is called '") + name + "'");
    return *found;
}

inline scene load(const facet_source &from, const facet_options *options = nullptr,
                  const facet_load_options *how = nullptr)
{
    facet_scene *made = nullptr;
    facet_error cause;
    check(facet_load(&from, nullptr, how, options, &made, &cause), cause);
    return scene(made);
}

/* Load a path, which may lead into an archive, as facet_load_path does. */
inline scene load(const char *path, const facet_options *options = nullptr,
                  const facet_load_options *how = nullptr)
{
    facet_scene *made = nullptr;
    facet_error cause;
    check(facet_load_path(path, how, options, &made, &cause), cause);
    return scene(made);
}

/* Append a copy of another scene, as facet_scene_add_scene does. */
inline void add_scene(const scene &to, const scene &other, const facet_options *options = nullptr)
{
    facet_error cause;
    check(facet_scene_add_scene(to.get(), other.get(), options, &cause), cause);
}

/* Prepare for the format with this name; nullptr: for a GPU, as facet_prepare does. Returns the
 * passes that ran. */
inline facet_passes prepare(const scene &of, const char *format_name,
                            const facet_options *options = nullptr,
                            const facet_prepare_options *how = nullptr)
{
    facet_passes passes;
    facet_error cause;
    const facet_format *target = format_name ? &format(format_name) : nullptr;
    check(facet_prepare(of.get(), target, how, options, &passes, &cause), cause);
    return passes;
}

inline void save(const scene &from, const char *format_name, const output &to,
                 const facet_options *options = nullptr)
{
    facet_error cause;
    check(facet_save(from.get(), &format(format_name), options, to.get(), &cause), cause);
    commit(to);
}

inline void save(const scene &from, const char *format_name, const char *path,
                 const facet_options *options = nullptr)
{
    save(from, format_name, make_output(path), options);
}

/* Prepare a scene for the format of the path's extension, and write it there, as facet_save_path
 * does. */
inline void save_path(const scene &from, const char *path, const facet_options *options = nullptr,
                      const facet_prepare_options *how = nullptr)
{
    facet_error cause;
    check(facet_save_path(from.get(), path, how, options, &cause), cause);
}

/* -- Documents ---------------------------------------------------------- */

/* The document of one family: facet::read<facet::bsm>(source). */
namespace detail
{
template <typename Document>
using reader = facet_status (*)(const facet_source *, const facet_options *, Document **,
                                facet_error *);
template <typename Document> struct reader_of;
template <> struct reader_of<facet_bsm> {
    static constexpr reader<facet_bsm> read = facet_bsm_read;
};
template <> struct reader_of<facet_iqm> {
    static constexpr reader<facet_iqm> read = facet_iqm_read;
};
template <> struct reader_of<facet_bga> {
    static constexpr reader<facet_bga> read = facet_bga_read;
};
template <> struct reader_of<facet_binarymesh> {
    static constexpr reader<facet_binarymesh> read = facet_binarymesh_read;
};
template <> struct reader_of<facet_bpx> {
    static constexpr reader<facet_bpx> read = facet_bpx_read;
};
template <> struct reader_of<facet_ply> {
    static constexpr reader<facet_ply> read = facet_ply_read;
};
template <> struct reader_of<facet_stl> {
    static constexpr reader<facet_stl> read = facet_stl_read;
};
#ifdef FACET_EXPERIMENTAL
template <> struct reader_of<facet_j3d> {
    static constexpr reader<facet_j3d> read = facet_j3d_read;
};
#endif
} // namespace detail

template <typename Document>
Document read(const facet_source &from, const facet_options *options = nullptr)
{
    using element = typename Document::element_type;
    element *made = nullptr;
    facet_error cause;
    check(detail::reader_of<element>::read(&from, options, &made, &cause), cause);
    return Document(made);
}

/* -- Models, buffers, poses --------------------------------------------- */

inline model load_model(const char *path, const facet_model_options *how = nullptr,
                        const facet_options *options = nullptr)
{
    facet_model *made = nullptr;
    facet_error cause;
    check(facet_load_model_path(path, how, options, &made, &cause), cause);
    return model(made);
}

inline model load_model(const facet_source &from, const facet_model_options *how = nullptr,
                        const facet_options *options = nullptr)
{
    facet_model *made = nullptr;
    facet_error cause;
    check(facet_load_model(&from, how, options, &made, &cause), cause);
    return model(made);
}

/* Pack a GPU-ready mesh into buffers. */
inline packed pack(const facet_mesh &mesh, const facet_pack_layout *layout = nullptr,
                   const facet_options *options = nullptr)
{
    facet_packed *made = nullptr;
    facet_error cause;
    check(facet_mesh_pack(&mesh, layout, options, &made, &cause), cause);
    return packed(made);
}

/* Pose of the nodes of a scene at one time. It refers to the scene, which must outlive it. */
class pose
{
  public:
    explicit pose(const scene &of) noexcept : scene_(of.get())
    {
    }
    ~pose()
    {
        facet_pose_free(&pose_);
    }
    pose(const pose &) = delete;
    pose &operator=(const pose &) = delete;

    /* Set the pose to `time` seconds of an animation; FACET_NONE: at rest. Reuses memory. */
    void set(std::uint32_t animation, double time, const facet_options *options = nullptr)
    {
        facet_error cause;
        check(facet_scene_pose(scene_, animation, time, options, &pose_, &cause), cause);
    }
    /* Write 3 floats per element of the mesh's position stream. */
    void positions(std::uint32_t node, float *to, const facet_options *options = nullptr) const
    {
        facet_error cause;
        check(facet_pose_positions(scene_, &pose_, node, options, to, &cause), cause);
    }
    /* Write 3 floats per element of the mesh's normal stream. */
    void normals(std::uint32_t node, float *to, const facet_options *options = nullptr) const
    {
        facet_error cause;
        check(facet_pose_normals(scene_, &pose_, node, options, to, &cause), cause);
    }
    const facet_pose *get() const noexcept
    {
        return &pose_;
    }

  private:
    const facet_scene *scene_;
    facet_pose pose_ = {};
};

/* -- Access ------------------------------------------------------------- */

inline span<facet_mesh *> meshes(const scene &of)
{
    return {of->meshes, of->mesh_count};
}
inline span<facet_material *> materials(const scene &of)
{
    return {of->materials, of->material_count};
}
inline span<facet_node *> nodes(const scene &of)
{
    return {of->nodes, of->node_count};
}
inline span<facet_image *> images(const facet_scene &of)
{
    return {of.images, of.image_count};
}
inline span<facet_packed *> meshes(const model &of)
{
    return {of->meshes, of->mesh_count};
}
inline span<facet_packed_draw> draws(const facet_packed &of)
{
    return {of.draws, of.draw_count};
}
/* The indices of a draw, 2 or 4 bytes each, according to index_size. */
inline const void *indices(const facet_packed &of, const facet_packed_draw &draw) noexcept
{
    return static_cast<const unsigned char *>(of.indices) +
           static_cast<std::size_t>(draw.first_index) * of.index_size;
}
inline span<facet_stream> streams(const facet_mesh &of)
{
    return {of.streams, of.stream_count};
}

/* The values of a stream of floats; empty for other streams. */
inline span<float> floats(const facet_stream &of)
{
    if (of.component != FACET_FLOAT32)
        return {};
    return {static_cast<const float *>(of.data),
            static_cast<std::size_t>(of.count) * of.components};
}

/* Index of the stream's element for each corner of the mesh. */
inline span<std::uint32_t> indices(const facet_mesh &mesh, const facet_stream &of)
{
    return {of.indices, mesh.corner_count};
}

} // namespace facet

#endif
