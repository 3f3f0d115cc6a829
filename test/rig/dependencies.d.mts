// Types of dependencies.mjs.
export function missingPackages(folder: string): string[];
export function ensureDependencies(folder: string, label: string): boolean;
