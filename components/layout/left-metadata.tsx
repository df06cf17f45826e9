"use client";

import { useEffect } from "react";
import { removeLeftMetadata } from "@/lib/workarounds/left-metadata";

/** Removes the metadata of the loaded page from the head after a navigation. */
export function LeftMetadata() {
  useEffect(removeLeftMetadata, []);
  return null;
}
