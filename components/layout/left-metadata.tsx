"use client";

import { useEffect } from "react";
import { removeLeftMetadata } from "@/lib/workarounds/left-metadata";

/** Keeps the head to the metadata of the page that is shown. */
export function LeftMetadata() {
  useEffect(removeLeftMetadata, []);
  return null;
}
