tool
extends EditorImportPlugin

const Builder = preload("scene.gd")

func get_importer_name():
	return "facet.scene"

func get_visible_name():
	return "Scene by Facet"

func get_recognized_extensions():
	return ["bsm", "bga", "bpx", "iqm", "bmd", "bdl"]

func get_save_extension():
	return "scn"

func get_resource_type():
	return "PackedScene"

func get_preset_count():
	return 1

func get_preset_name(_preset):
	return "Default"

func get_import_options(_preset):
	return []

func get_option_visibility(_option, _options):
	return true

func import(source_file, save_path, _options, _platform_variants, _gen_files):
	var root = Builder.load_scene(source_file)
	if root is String:
		push_error("%s: %s" % [source_file, root])
		return ERR_PARSE_ERROR
	var packed = PackedScene.new()
	var result = packed.pack(root)
	root.free()
	if result != OK:
		return result
	return ResourceSaver.save("%s.%s" % [save_path, get_save_extension()], packed)
