import type { Facet } from "../index.js";
import type { FacetClient } from "../client.js";
import type { FacetModel } from "../three/index.js";

/**
 * `<facet-viewer src animations animation-name autoplay camera-controls background poster alt mode>`; events `load`, `error`,
 * `progress`, `play`, `pause`, `timeupdate`, `camera-change`.
 */
export class FacetViewerElement extends HTMLElement {
  /** What does the work for all elements; without one, `load()` is called. */
  static set library(value: Facet | FacetClient);
  src: string | null;
  readonly loaded: boolean;
  readonly model: FacetModel | null;
  readonly availableAnimations: string[];
  readonly duration: number;
  currentTime: number;
  readonly paused: boolean;
  play(): void;
  pause(): void;
  resetView(): void;
  toBlob(): Promise<Blob | null>;
}

declare global {
  interface HTMLElementTagNameMap {
    "facet-viewer": FacetViewerElement;
  }
}
