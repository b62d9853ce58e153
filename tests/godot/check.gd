# Prints what the importer made of each file, and the bones at the end of the first animation.
extends SceneTree

func _init():
	var result = {}
	for text in OS.get_cmdline_args():
		if not text.begins_with("res://"):
			continue
		var resource = load(text)
		if not resource is PackedScene:
			result[text] = "no scene"
			continue
		var scene = resource.instance()
		get_root().add_child(scene)
		result[text] = {"meshes": [], "bones": {}, "animations": []}
		look(scene, result[text])
	print("RESULT " + JSON.print(result))
	quit()

func numbers(v):
	return [v.x, v.y, v.z]

func look(node, result):
	if node is MeshInstance:
		var box = node.get_aabb()
		var surfaces = []
		for i in range(node.mesh.get_surface_count()):
			var material = node.mesh.surface_get_material(i)
			var arrays = node.mesh.surface_get_arrays(i)
			var color = material.albedo_color
			var pixel = null
			if material.albedo_texture:
				var image = material.albedo_texture.get_data()
				image.lock()
				pixel = image.get_pixel(0, 0).to_html()
			# The front of a triangle is where it is seen clockwise.
			var v = arrays[Mesh.ARRAY_VERTEX]
			var t = arrays[Mesh.ARRAY_INDEX]
			var normal = (v[t[2]] - v[t[0]]).cross(v[t[1]] - v[t[0]])
			surfaces.append({"color": color.to_html(), "pixel": pixel, "triangles": t.size() / 3,
					"front": normal.dot(arrays[Mesh.ARRAY_NORMAL][t[0]]) > 0,
					"uv": numbers(Vector3(arrays[Mesh.ARRAY_TEX_UV][t[0]].x, arrays[Mesh.ARRAY_TEX_UV][t[0]].y, 0))
							if arrays[Mesh.ARRAY_TEX_UV] else null, "first": numbers(v[t[0]])})
		result.meshes.append({"low": numbers(box.position), "high": numbers(box.end), "surfaces": surfaces,
				"skin": node.skin.get_bind_count() if node.skin else 0})
	if node is AnimationPlayer:
		result.animations = Array(node.get_animation_list())
		var animation = node.get_animation(node.get_animation_list()[0])
		node.play(node.get_animation_list()[0])
		node.seek(animation.length, true)
		for i in range(node.get_parent().get_child_count()):
			var skeleton = node.get_parent().get_child(i)
			if skeleton is Skeleton:
				for bone in range(skeleton.get_bone_count()):
					var pose = skeleton.get_bone_global_pose(bone)
					result.bones[skeleton.get_bone_name(bone)] = [numbers(pose.origin), numbers(pose.basis.y)]
	for i in range(node.get_child_count()):
		look(node.get_child(i), result)
