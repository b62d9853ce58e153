// A page of react-three-fiber. doors.mjs bundles it.

import { Suspense, useEffect } from "react";
import { createRoot } from "react-dom/client";
import { Canvas, useLoader } from "@react-three/fiber";
import { FacetLoader } from "facet-mesh/three";

function Model({ url }) {
  const model = useLoader(FacetLoader, url);
  useEffect(() => {
    window.model = model;
  }, [model]);
  return <primitive object={model.scene} />;
}

createRoot(document.body.appendChild(document.createElement("div"))).render(
  <Canvas>
    <Suspense fallback={null}>
      <Model url="/m/fox.bdl" />
    </Suspense>
  </Canvas>,
);
