import type { Facet } from "../index.js";
import type { FacetClient } from "../client.js";
import type { FacetModel } from "../three/index.js";

/**
 * `<facet-viewer src animations animation-name autoplay camera-controls background poster alt
 * mode>`. Events: `load`, `error`, `progress`, `play`, `pause`, `timeupdate`, `camera-change`. `mode`
 * is shaded, clay, normals, tangents, texcoords, colors, weights, joints, facing, materials or
 * overdraw. An unknown `mode` or `animation-name` dispatches `error` with the type "attribute".
 */
export class FacetViewerElement extends HTMLElement {
  /** The library for all elements. Default: call `load()`. */
  static set library(value: Facet | FacetClient);
  src: string | null;
  readonly loaded: boolean;
  /** The loaded model; null until one is loaded. */
  readonly model: FacetModel | null;
  readonly availableAnimations: string[];
  /** Seconds. */
  readonly duration: number;
  /** Seconds from the beginning of the animation. */
  currentTime: number;
  readonly paused: boolean;
  play(): void;
  pause(): void;
  /** Show the whole model. */
  resetView(): void;
  /** The current picture as PNG. */
  toBlob(): Promise<Blob | null>;
}

declare global {
  interface HTMLElementTagNameMap {
    "facet-viewer": FacetViewerElement;
  }
}
