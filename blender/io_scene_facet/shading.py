"""Reduce a node tree to a texture, a color and an alpha. Starts at the active output and follows
links. Properties that are left out are listed."""

GROUP, WRAP = "Facet Material", "Facet Wrap"
NEUTRAL = {  # inputs that change nothing, by node
    "ShaderNodeGamma": {"Gamma": 1}, "ShaderNodeBrightContrast": {"Bright": 0, "Contrast": 0},
    "ShaderNodeHueSaturation": {"Hue": 0.5, "Saturation": 1, "Value": 1},
    "ShaderNodeInvert": {"Fac": 0},
}


# Inputs of a Principled BSDF that have no effect at 0: before 4.0; from 4.0.
UNWRITTEN = ("Transmission", "Clearcoat", "Subsurface", "Sheen", "Anisotropic",
             "Transmission Weight", "Coat Weight", "Subsurface Weight", "Sheen Weight")


class Scope:
    """The node group that contains the current nodes, and the scope around it."""

    def __init__(self, group, above):
        self.group, self.above = group, above


def of_facet(node):
    """The name of the add-on's group that a node uses, or ""."""
    tree = getattr(node, "node_tree", None) if node.bl_idname == "ShaderNodeGroup" else None
    stem = tree.name.split(".")[0] if tree else ""
    return stem if stem in (GROUP, WRAP) else ""


def feeder(socket, scope=None):
    """The source of an input, through reroutes, muted nodes and groups: (output, input, scope). The
    output is None if the input is not linked and has a value. None if nothing feeds it."""
    while socket is not None and socket.is_linked:
        link = socket.links[0]
        node, output = link.from_node, link.from_socket
        if node.bl_idname == "NodeReroute":
            socket = node.inputs[0]
        elif node.mute:
            socket = next((one.from_socket for one in node.internal_links
                           if one.to_socket == output), None)
        elif node.bl_idname == "NodeGroupInput" and scope is not None:
            socket = by_identifier(scope.group.inputs, output.identifier)
            scope = scope.above
        elif node.bl_idname == "ShaderNodeGroup" and node.node_tree and not of_facet(node):
            inner = next((one for one in node.node_tree.nodes
                          if one.bl_idname == "NodeGroupOutput" and one.is_active_output), None)
            socket = by_identifier(inner.inputs, output.identifier) if inner else None
            scope = Scope(node, scope)
        else:
            return output, socket, scope
    return (None, socket, scope) if socket is not None else None


def by_identifier(sockets, identifier):
    return next((one for one in sockets if one.identifier == identifier), None)


def shown(node):
    """The enabled inputs. Nodes such as Mix also have inputs for other data types."""
    return [one for one in node.inputs if one.enabled]


class Value:
    """A color, or a number in all three components, multiplied by a texture if `image` is set, and
    by a color attribute if `attribute` is a name ("": the rendered one)."""

    def __init__(self, factor=(1, 1, 1), image=None, is_alpha=False, attribute=None):
        self.factor, self.image, self.is_alpha = tuple(factor), image, is_alpha
        self.attribute = attribute

    @property
    def number(self):
        return self.factor[0]

    @property
    def varies(self):
        return self.image is not None or self.attribute is not None


class Look:
    """The appearance of a surface."""

    def __init__(self):
        self.color, self.alpha = Value(), Value()
        self.emission = Value((0, 0, 0))
        self.metallic, self.roughness = 0.0, 1.0
        self.unlit = self.is_transparent = False


class Shading:
    """Follows the nodes of one material. `left_out` lists properties that are left out."""

    def __init__(self, material):
        self.left_out = []
        self.material = material

    def note(self, what):
        if what not in self.left_out:
            self.left_out.append(what)

    def surface(self):
        """The shader of the output's surface: (shader node or None, scope)."""
        tree = self.material.node_tree
        output = tree.get_output_node("EEVEE") or tree.get_output_node("ALL") \
            if hasattr(tree, "get_output_node") else None
        for name in ("Volume", "Displacement"):
            if output and output.inputs[name].is_linked:
                self.note(f"the input {name} of the node {output.name}")
        found = feeder(output.inputs["Surface"]) if output else None
        return (found[0].node, found[2]) if found and found[0] is not None else (None, None)

    # -- Shaders

    def look(self, node, scope):
        """The appearance of a shader node."""
        look, kind = Look(), node.bl_idname
        if kind == "ShaderNodeBsdfPrincipled":
            self._principled(look, node, scope)
        elif kind in ("ShaderNodeEmission", "ShaderNodeBackground"):
            look.unlit = True
            strength = self.number(node.inputs["Strength"], scope)
            color = self.color(node.inputs["Color"], scope)
            look.color = Value([min(one * strength.number, 1) for one in color.factor], color.image,
                               attribute=color.attribute)
            if strength.varies or any(one * strength.number > 1 for one in color.factor):
                self.note("the strength of an emission beyond 1")
        elif kind == "ShaderNodeBsdfTransparent":
            look.alpha, look.is_transparent = Value((0, 0, 0)), True
        elif kind == "ShaderNodeMixShader":
            return self._mixed(node, scope)
        elif kind == "ShaderNodeAddShader":
            looks = self._both(node.inputs[:2], scope)
            self.note("all but one of the shaders that are added")
            return next((one for one in looks if not one.is_transparent), looks[0])
        else:
            if kind not in ("ShaderNodeBsdfDiffuse", "ShaderNodeEeveeSpecular"):
                self.note(f"the shader {node.name}, except its color")
            color = node.inputs.get("Color") or node.inputs.get("Base Color")
            look.color = self.color(color, scope) if color else Value()
            if kind in ("ShaderNodeBsdfGlossy", "ShaderNodeBsdfAnisotropic"):
                look.metallic = 1.0
                look.roughness = self.number(node.inputs["Roughness"], scope).number
        return look

    def _principled(self, look, node, scope):
        of = node.inputs
        look.color = self.color(of["Base Color"], scope)
        look.alpha = self.number(of["Alpha"], scope)
        for name in ("Roughness", "Metallic"):
            value = self.number(of[name], scope)
            setattr(look, name.lower(), value.number)
            if value.varies:
                self.note(f"the texture of {name}")
        glow = of.get("Emission Color") or of.get("Emission")  # from 4.0; before 4.0
        strength = self.number(of["Emission Strength"], scope).number
        color = self.color(glow, scope)
        look.emission = Value([one * strength for one in color.factor], color.image)
        if color.attribute is not None and strength:
            self.note(f"the color attribute {color.attribute} of the emission")
        if of["Normal"].is_linked:
            self.note("the normal map")
        for name in UNWRITTEN:
            if name in of and (of[name].is_linked or of[name].default_value > 0):
                self.note(f"the input {name} of the node {node.name}")
        for name in ("Specular", "Specular IOR Level"):  # before 4.0; from 4.0
            if name in of and of[name].is_linked:
                self.note(f"the input {name} of the node {node.name}")

    def _both(self, sockets, scope):
        looks = []
        for socket in sockets:
            found = feeder(socket, scope)
            if found is None or found[0] is None:  # not linked: black
                looks.append(Look())
                looks[-1].color = Value((0, 0, 0))
            else:
                looks.append(self.look(found[0].node, found[2]))
        return looks

    def _mixed(self, node, scope):
        share = self.number(node.inputs[0], scope)
        first, second = self._both(node.inputs[1:3], scope)
        if first.is_transparent != second.is_transparent:
            # Mix with a transparent shader: the mix factor becomes alpha of the other shader.
            seen = second if first.is_transparent else first
            if seen is first:
                if share.varies:
                    self.note("the inversion of a mask")
                share = Value([1 - one for one in share.factor], share.image, share.is_alpha,
                              share.attribute)
            seen.alpha = self.multiplied(seen.alpha, share)
            return seen
        if share.varies or 0 < share.number < 1:
            self.note("the lighter part of a Mix Shader")
        return second if share.number > 0.5 and not share.varies else first

    # -- Colors and numbers

    def number(self, socket, scope):
        return self.color(socket, scope)

    def color(self, socket, scope):
        """The value of an input."""
        found = feeder(socket, scope)
        if found is None:
            return Value()
        output, socket, scope = found
        if output is None:
            return constant(socket.default_value)
        node, kind = output.node, output.node.bl_idname
        if kind == "ShaderNodeTexImage":
            is_opaque = node.image is not None and node.image.alpha_mode == "NONE"
            if node.image is None or is_opaque and output.name == "Alpha":
                return Value((1, 1, 1))  # without an image, Blender shows magenta with alpha 1
            return Value(image=(node, scope), is_alpha=output.name == "Alpha")
        if kind in ("ShaderNodeRGB", "ShaderNodeValue"):
            return constant(output.default_value)
        if kind in ("ShaderNodeMixRGB", "ShaderNodeMix"):
            return self._mix(node, scope)
        if kind in ("ShaderNodeMath", "ShaderNodeVectorMath"):
            return self._arithmetic(node, scope)
        if kind == "ShaderNodeVertexColor" or \
                kind == "ShaderNodeAttribute" and node.attribute_type == "GEOMETRY":
            name = node.layer_name if kind == "ShaderNodeVertexColor" else node.attribute_name
            return Value(attribute=name, is_alpha=output.name == "Alpha")
        return self._passed(node, scope)

    def _passed(self, node, scope):
        """The input color of a node that changes colors. The change is left out."""
        neutral = NEUTRAL.get(node.bl_idname)
        is_neutral = neutral is not None and all(
            name in node.inputs and not node.inputs[name].is_linked
            and abs(node.inputs[name].default_value - value) < 1e-6
            for name, value in neutral.items())
        if not is_neutral:
            self.note(f"the node {node.name}")
        linked = [one for one in node.inputs if one.is_linked and one.type in ("RGBA", "VALUE")]
        linked.sort(key=lambda one: one.type != "RGBA")
        if linked:
            return self.color(linked[0], scope)
        colors = [one for one in node.inputs if one.type == "RGBA"]
        return constant(colors[0].default_value) if colors and is_neutral else Value()

    def multiplied(self, a, b):
        if a.image and b.image:
            self.note("all but one of the textures that are multiplied")
        if a.attribute not in (None, b.attribute) and b.attribute is not None:
            self.note("all but one of the color attributes that are multiplied")
        kept = a if a.image else b if b.image else a if a.attribute is not None else b
        return Value([one * other for one, other in zip(a.factor, b.factor)], kept.image,
                     kept.is_alpha, b.attribute if a.attribute is None else a.attribute)

    def _mix(self, node, scope):
        sockets = shown(node)
        share = self.number(sockets[0], scope)
        a, b = (self.color(one, scope) for one in sockets[1:3])
        way = getattr(node, "blend_type", "MIX")
        if share.varies:
            self.note(f"the mask of {node.name}")
            share = Value()
        part = share.number
        if part == 0:
            return a
        if way == "MULTIPLY" and (part == 1 or not b.varies):
            weighed = Value([1 - part + part * one for one in b.factor], b.image, b.is_alpha,
                            b.attribute)
            return self.multiplied(a, weighed)
        if way == "MIX" and part == 1:
            return b
        if way == "MIX" and not a.varies and not b.varies:
            return Value([one + part * (other - one) for one, other in zip(a.factor, b.factor)])
        self.note(f"the node {node.name}")
        return a if a.image or not b.image else b

    def _arithmetic(self, node, scope):
        sockets = shown(node)
        values = [self.color(one, scope) for one in sockets]
        way = node.operation
        if way == "MULTIPLY":
            return self.multiplied(values[0], values[1])
        if not any(one.varies for one in values) and way in ("ADD", "SUBTRACT"):
            sign = 1 if way == "ADD" else -1
            return Value([one + sign * other for one, other in zip(values[0].factor,
                                                                   values[1].factor)])
        if way == "SUBTRACT" and not values[0].varies and values[0].number == 1:
            self.note("the inversion of a mask")
            return values[1]
        self.note(f"the node {node.name}")
        return next((one for one in values if one.varies), values[0])


def constant(value):
    """The value of a socket."""
    if hasattr(value, "__len__"):
        return Value(list(value)[:3])
    return Value((value, value, value))
