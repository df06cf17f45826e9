"use client";

import { useEffect } from "react";
import { removeStaleMetadata } from "@/lib/workarounds/stale-metadata";

/** Removes the metadata of the loaded page from the head after a navigation. */
export function StaleMetadata() {
  useEffect(removeStaleMetadata, []);
  return null;
}
