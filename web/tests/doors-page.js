// Imports of a user's page. doors.mjs bundles it.

import * as THREE from "three";
import { GLTFLoader } from "three/addons/loaders/GLTFLoader.js";
import { load, FacetError } from "facet-mesh";
import { FacetClient } from "facet-mesh/client";
import { FacetLoader } from "facet-mesh/three";
import { FacetViewerElement } from "facet-mesh/viewer";

window.doors = { THREE, GLTFLoader, load, FacetError, FacetClient, FacetLoader, FacetViewerElement };
