// How every port names a place.

/** Absolute paths with forward slashes (`/a/b`, `C:/a/b`); in a virtual workspace, the path part of its URIs. */
export type Path = string;
