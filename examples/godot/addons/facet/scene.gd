# Create a scene from a model file. load_scene(path) returns a Spatial, or a String with the error
# message. The Spatial has meshes, a Skeleton for all skins, and an AnimationPlayer.
tool
extends Reference

static func load_scene(path):
	var native = GDNative.new()
	native.library = load("res://addons/facet/facet.gdnlib")
	if not native.initialize():
		return "libfacet_godot cannot be loaded"
	var bytes = native.call_native("standard_varcall", "facet_load_for_godot", [ProjectSettings.globalize_path(path)])
	native.terminate()
	if bytes.size() == 0:
		return "out of memory"
	var model = bytes2var(bytes)
	if model.has("error"):
		return model.error
	return build(model, path.get_file().get_basename())

static func transform_of(m, i = 0):
	return Transform(Vector3(m[i], m[i + 1], m[i + 2]), Vector3(m[i + 4], m[i + 5], m[i + 6]),
			Vector3(m[i + 8], m[i + 9], m[i + 10]), Vector3(m[i + 12], m[i + 13], m[i + 14]))

static func make_textures(model):
	var textures = []
	for source in model.images:
		var texture = null
		if source.width > 0:
			var image = Image.new()
			image.create_from_data(source.width, source.height, false, Image.FORMAT_RGBA8, source.pixels)
			texture = ImageTexture.new()
			texture.create_from_image(image) # makes mipmaps
		textures.append(texture)
	return textures

# Colors of Godot's materials are sRGB, Facet's are linear.
static func to_screen(color):
	for i in range(3):
		var c = color[i]
		color[i] = 12.92 * c if c <= 0.0031308 else 1.055 * pow(c, 1 / 2.4) - 0.055
	return color

static func make_materials(model):
	var textures = make_textures(model)
	var materials = []
	for source in model.materials:
		var material = SpatialMaterial.new()
		material.resource_name = source.name
		material.albedo_color = to_screen(source.color)
		material.metallic = source.metallic
		material.roughness = source.roughness
		if source.image >= 0:
			material.albedo_texture = textures[source.image]
		if source.emission != Color(0, 0, 0, 1):
			material.emission_enabled = true
			material.emission = to_screen(source.emission)
		if source.double_sided:
			material.params_cull_mode = SpatialMaterial.CULL_DISABLED
		if source.alpha_mode == 1:
			material.params_use_alpha_scissor = true
			material.params_alpha_scissor_threshold = source.alpha_cutoff
		elif source.alpha_mode == 2:
			material.flags_transparent = true
		materials.append(material)
	return materials

static func make_meshes(model):
	var materials = make_materials(model)
	var meshes = []
	for source in model.meshes:
		var mesh = ArrayMesh.new()
		mesh.resource_name = source.name
		for draw in source.draws:
			var arrays = []
			arrays.resize(Mesh.ARRAY_MAX)
			arrays[Mesh.ARRAY_VERTEX] = source.vertices
			if source.normals.size() > 0:
				arrays[Mesh.ARRAY_NORMAL] = source.normals
			if source.uvs.size() > 0:
				arrays[Mesh.ARRAY_TEX_UV] = source.uvs
			if source.bones.size() > 0 and source.weights.size() > 0:
				arrays[Mesh.ARRAY_BONES] = source.bones
				arrays[Mesh.ARRAY_WEIGHTS] = source.weights
			arrays[Mesh.ARRAY_INDEX] = draw.indices
			mesh.add_surface_from_arrays(Mesh.PRIMITIVE_TRIANGLES, arrays)
			mesh.surface_set_material(mesh.get_surface_count() - 1, materials[draw.material])
		meshes.append(mesh)
	return meshes

# A name that is unique among the children of the parent, without the special characters of paths.
static func name_for(text, parent, fallback):
	for letter in [".", ":", "@", "/", "\"", "%"]:
		text = text.replace(letter, "_")
	if text == "":
		text = fallback
	var result = text
	var number = 2
	while parent.has_node(result):
		result = "%s %d" % [text, number]
		number += 1
	return result

static func add(child, parent, root, text, fallback):
	child.name = name_for(text, parent, fallback)
	parent.add_child(child)
	child.owner = root
	return child

# The joints of all skins and their ancestors are bones of one skeleton.
static func bones_of(model):
	var bones = {}
	for skin in model.skins:
		for joint in skin.joints:
			var node = joint
			while node >= 0 and not bones.has(node):
				bones[node] = -1
				node = model.nodes[node].parent
	return bones

static func make_skeleton(model, root, bones):
	var skeleton = add(Skeleton.new(), root, root, "Skeleton", "Skeleton")
	var names = {}
	var left = bones.keys()
	while left.size() > 0: # parents first
		var later = []
		for node in left:
			var source = model.nodes[node]
			if source.parent >= 0 and bones[source.parent] < 0:
				later.append(node)
				continue
			var text = source.name.replace(":", "_").replace("/", "_") if source.name != "" else "bone"
			while names.has(text):
				text += "_"
			names[text] = true
			bones[node] = skeleton.get_bone_count()
			skeleton.add_bone(text)
			skeleton.set_bone_parent(bones[node], bones[source.parent] if source.parent >= 0 else -1)
			skeleton.set_bone_rest(bones[node], transform_of(source.matrix))
		left = later
	return skeleton

static func make_skin(source, bones):
	var skin = Skin.new()
	for i in range(source.joints.size()):
		var bind = transform_of(source.binds, i * 16) if source.binds.size() > 0 else Transform()
		skin.add_bind(bones[source.joints[i]], bind)
	return skin

static func make_animations(model, root, nodes, skeleton, bones):
	if model.animations.size() == 0:
		return
	var player = add(AnimationPlayer.new(), root, root, "AnimationPlayer", "AnimationPlayer")
	for source in model.animations:
		var animation = Animation.new()
		animation.length = max(source.length, 0.001)
		for track in source.tracks:
			var path = ""
			var rest = Transform()
			if bones.has(track.node):
				path = "%s:%s" % [root.get_path_to(skeleton), skeleton.get_bone_name(bones[track.node])]
				rest = skeleton.get_bone_rest(bones[track.node]).affine_inverse()
			else:
				path = str(root.get_path_to(nodes[track.node]))
			var index = animation.add_track(Animation.TYPE_TRANSFORM)
			animation.track_set_path(index, path)
			for frame in range(track.matrices.size() / 16):
				var t = rest * transform_of(track.matrices, frame * 16)
				animation.transform_track_insert_key(index, frame / source.rate, t.origin,
						t.basis.get_rotation_quat(), t.basis.get_scale())
		var text = source.name if source.name != "" else "animation"
		while player.has_animation(text):
			text += "_"
		player.add_animation(text, animation)

static func add_mesh(mesh, parent, root):
	var instance = add(MeshInstance.new(), parent, root, mesh.resource_name, "mesh")
	instance.mesh = mesh
	return instance

static func build(model, text):
	var root = Spatial.new()
	root.name = text
	var meshes = make_meshes(model)
	if model.nodes.size() == 0:
		for mesh in meshes:
			add_mesh(mesh, root, root)
		return root
	var bones = bones_of(model)
	var skeleton = make_skeleton(model, root, bones) if bones.size() > 0 else null
	var nodes = {}
	var left = range(model.nodes.size())
	while left.size() > 0: # parents first
		var later = []
		for i in left:
			var source = model.nodes[i]
			if source.parent >= 0 and not bones.has(source.parent) and not nodes.has(source.parent):
				later.append(i)
				continue
			var parent = nodes[source.parent] if nodes.has(source.parent) else root
			if bones.has(source.parent):
				parent = add(BoneAttachment.new(), skeleton, root, "", "attachment")
				parent.bone_name = skeleton.get_bone_name(bones[source.parent])
			if not bones.has(i):
				nodes[i] = add(Spatial.new(), parent, root, source.name, "node")
				nodes[i].transform = transform_of(source.matrix)
				nodes[i].visible = bool(source.visible)
			if source.mesh < 0:
				continue
			if source.skin >= 0: # the transform of its node does not move a skinned mesh
				var instance = add_mesh(meshes[source.mesh], skeleton, root)
				instance.skeleton = NodePath("..")
				instance.skin = make_skin(model.skins[source.skin], bones)
			elif nodes.has(i):
				add_mesh(meshes[source.mesh], nodes[i], root)
			else:
				var attachment = add(BoneAttachment.new(), skeleton, root, "", "attachment")
				attachment.bone_name = skeleton.get_bone_name(bones[i])
				add_mesh(meshes[source.mesh], attachment, root)
		left = later
	make_animations(model, root, nodes, skeleton, bones)
	return root
