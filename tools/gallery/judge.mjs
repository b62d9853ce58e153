// judge.mjs NPM PACKAGE JOBS: draw glTF files with three.js in a headless Chromium, with the light
// of `facet render`.
//
// JOBS is a JSON file: a list of {file, camera, size: [w, h], background, out, animation, time,
// environment, rotation, exposure}, where camera is the output of `facet render --json`. NPM
// contains three and playwright-core; PACKAGE is web/package, whose light is used.

import * as fs from "node:fs";
import * as http from "node:http";
import * as path from "node:path";
import { pathToFileURL } from "node:url";

const [npm, source, list] = process.argv.slice(2).map((name) => path.resolve(name));
const jobs = JSON.parse(fs.readFileSync(list, "utf8"));

const page = `<!doctype html><script type="importmap">{"imports": {"three": "/npm/three/build/three.module.js",
"three/addons/": "/npm/three/examples/jsm/"}}</script><script type="module">
import * as THREE from "three";
import { GLTFLoader } from "three/addons/loaders/GLTFLoader.js";
import { HDRLoader } from "three/addons/loaders/HDRLoader.js";
import { addLight, matchRender } from "/package/src/viewer/light.js";
matchRender(); // rough metals as facet draws them
const canvas = document.createElement("canvas");
const renderer = new THREE.WebGLRenderer({ canvas, antialias: true, preserveDrawingBuffer: true });
renderer.toneMapping = THREE.NeutralToneMapping;
function toCamera(c, [width, height]) {
  let camera;
  if (c.fieldOfView) {
    const angle = width < height ? 2 * Math.atan(Math.tan(c.fieldOfView * Math.PI / 360) * height / width) * 180 / Math.PI : c.fieldOfView;
    camera = new THREE.PerspectiveCamera(angle, width / height, 0.01, 1000);
  } else {
    const half = c.height / 2, unit = Math.min(width, height);
    camera = new THREE.OrthographicCamera(-half * width / unit, half * width / unit, half * height / unit, -half * height / unit, -1000, 1000);
  }
  camera.position.fromArray(c.position);
  camera.up.fromArray(c.up);
  camera.lookAt(...c.target);
  const distance = camera.position.distanceTo(new THREE.Vector3(...c.target));
  camera.near = distance / 100, camera.far = distance * 100;
  camera.updateProjectionMatrix();
  return camera;
}
window.shoot = async (job) => {
  renderer.setSize(...job.size, false);
  renderer.setClearColor(job.background, 1);
  const gltf = await new GLTFLoader().loadAsync(job.url);
  const scene = new THREE.Scene(), camera = toCamera(job.camera, job.size);
  const light = addLight(scene, camera, renderer);
  scene.add(gltf.scene);
  const lamps = [];
  gltf.scene.traverse((o) => o.isLight && lamps.push(o)); // as in pictures of facet, the light is one for all
  lamps.forEach((o) => o.removeFromParent());
  if (job.time !== undefined) {
    const mixer = new THREE.AnimationMixer(gltf.scene);
    mixer.clipAction(gltf.animations[job.animation ?? 0]).play();
    mixer.setTime(job.time);
  }
  light.turn();
  if (job.environment) {
    const map = await new HDRLoader().loadAsync("/environment/" + job.number);
    map.mapping = THREE.EquirectangularReflectionMapping;
    scene.environment = map;
    scene.environmentRotation.set(0, (job.rotation ?? 0) * Math.PI / 180, 0);
    camera.children.filter((o) => o.isLight).forEach((o) => o.removeFromParent());
  }
  renderer.toneMappingExposure = 2 ** (job.exposure ?? 0);
  renderer.render(scene, camera);
  return canvas.toDataURL("image/png");
};
window.ready = true;
</script>`;

const types = { ".js": "text/javascript", ".gltf": "model/gltf+json", ".glb": "model/gltf-binary", ".png": "image/png", ".jpg": "image/jpeg" };
const server = http.createServer((request, response) => {
  const name = decodeURIComponent(new URL(request.url, "http://x").pathname), [, root, ...rest] = name.split("/");
  const roots = { npm: path.join(npm, "node_modules"), package: source };
  if (name === "/") return response.setHeader("content-type", "text/html").end(page);
  if (root === "environment") return response.end(fs.readFileSync(jobs[rest[0]].environment));
  const file = root === "file" ? path.join(path.dirname(path.resolve(jobs[rest[0]].file)), ...rest.slice(1)) : path.join(roots[root] ?? "/none", ...rest);
  if (!fs.statSync(file, { throwIfNoEntry: false })?.isFile()) return response.writeHead(404).end();
  response.setHeader("content-type", types[path.extname(file)] ?? "application/octet-stream");
  response.end(fs.readFileSync(file));
});
await new Promise((done) => server.listen(0, "127.0.0.1", done));

const { chromium } = (await import(pathToFileURL(path.join(npm, "node_modules/playwright-core/index.js")))).default;
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--force-color-profile=srgb"],
});
const tab = await browser.newPage();
tab.on("pageerror", (error) => console.error(`judge: ${error.message}`));
await tab.goto(`http://127.0.0.1:${server.address().port}/`);
await tab.waitForFunction(() => window.ready);
let failed = 0;
for (const [number, job] of jobs.entries()) {
  const url = `/file/${number}/${encodeURIComponent(path.basename(job.file))}`;
  try {
    const text = await tab.evaluate((each) => window.shoot(each), { ...job, url, number });
    fs.writeFileSync(job.out, Buffer.from(text.split(",")[1], "base64"));
  } catch (error) {
    failed++;
    console.error(`judge: ${job.file}: ${String(error.message ?? error).slice(0, 300)}`);
  }
}
await browser.close();
server.close();
process.exitCode = failed ? 1 : 0;
