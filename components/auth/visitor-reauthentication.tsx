"use client";

import { lazy } from "react";
import { Reauthentication } from "@/components/auth/reauthentication";

// Lazy: hardly anybody is asked.
const Modal = lazy(() =>
  import("@/components/ui/modal").then((module) => ({ default: module.Modal })),
);

/** Asks customers for their password or a code, or to log in again. */
export const VisitorReauthentication = () => <Reauthentication Dialog={Modal} />;
