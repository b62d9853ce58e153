// Draw one pixel with each case's shaders, and print its difference from the expected color.
const gl = Object.assign(document.createElement('canvas'), { width: 1, height: 1 })
  .getContext('webgl2', { alpha: true, antialias: false, premultipliedAlpha: false, preserveDrawingBuffer: true });

function compile(kind, source) {
  const shader = gl.createShader(kind);
  gl.shaderSource(shader, source);
  gl.compileShader(shader);
  if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS))
    throw new Error(gl.getShaderInfoLog(shader) + '\n' + source);
  return shader;
}

function draw(one) {
  const program = gl.createProgram();
  gl.attachShader(program, compile(gl.VERTEX_SHADER, one.vertex));
  gl.attachShader(program, compile(gl.FRAGMENT_SHADER, one.fragment));
  gl.bindAttribLocation(program, 0, 'position');
  gl.linkProgram(program);
  if (!gl.getProgramParameter(program, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(program));
  gl.useProgram(program);
  const place = (name) => gl.getUniformLocation(program, name);
  const attribute = (name, values) => {
    const at = gl.getAttribLocation(program, name);
    if (at >= 0) gl[`vertexAttrib${values.length}f`](at, ...values);
  };
  const identity = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];
  for (const name of ['world', 'view', 'projection']) gl.uniformMatrix4fv(place(name), false, identity);
  for (const name of ['light_position', 'light_direction', 'light_color', 'light_cosine', 'light_distance',
    'material_color', 'ambient_color', 'texture_rows']) gl.uniform4fv(place(name), one[name]);
  gl.uniform4iv(place('registers'), one.registers);
  gl.uniform4iv(place('konst'), one.konst);
  for (let i = 0; i < 8; i++) {
    gl.uniform1i(place(`texmap${i}`), i);
    attribute(`texcoord${i}`, one.texcoords.slice(i * 2, i * 2 + 2));
  }
  attribute('color0', one.colors.slice(0, 4));
  attribute('color1', one.colors.slice(4, 8));
  attribute('normal', [0, 0, 1]);
  attribute('tangent', [1, 0, 0, 1]);
  gl.clearColor(0, 0, 0, 0);
  gl.clear(gl.COLOR_BUFFER_BIT);
  gl.drawArrays(gl.POINTS, 0, 1);
  const pixel = new Uint8Array(4);
  gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
  gl.deleteProgram(program);
  return pixel;
}

function run() {
  if (!gl) return 'no WebGL 2';
  textures.forEach((pixels, i) => {
    gl.activeTexture(gl.TEXTURE0 + i);
    gl.bindTexture(gl.TEXTURE_2D, gl.createTexture());
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, side, side, 0, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(pixels));
    for (const filter of [gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER]) gl.texParameteri(gl.TEXTURE_2D, filter, gl.NEAREST);
  });
  // One point at the origin, which covers the pixel.
  gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
  gl.bufferData(gl.ARRAY_BUFFER, new Float32Array(3), gl.STATIC_DRAW);
  gl.enableVertexAttribArray(0);
  gl.vertexAttribPointer(0, 3, gl.FLOAT, false, 0, 0);
  const far = [];
  let same = 0, near = 0;
  cases.forEach((one, i) => {
    one.vertex = one.vertex.replace('gl_Position =', 'gl_PointSize = 1.0; gl_Position =');
    const pixel = draw(one);
    const distance = Math.max(...one.wanted.map((w, c) => Math.abs(w - pixel[c])));
    if (distance === 0) same++;
    else if (distance === 1) near++;
    else far.push(`${i}: ${pixel} instead of ${one.wanted}`);
  });
  return `${cases.length} materials: ${same} equal, ${near} within 1, ${far.length} beyond\n` + far.join('\n') + (far.length ? '\n' + cases[parseInt(far[0])].fragment : '');
}

try {
  document.getElementById('result').textContent = run();
} catch (error) {
  document.getElementById('result').textContent = `failed: ${error.message}`;
}
