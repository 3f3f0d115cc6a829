/** Stands in for `vscode` outside src/vscode, so that even a type-only import of it fails to compile. */
export {};
