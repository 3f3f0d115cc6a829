// The table of test files that the rig's bundler puts into the bundle of the in-host tests.
declare module 'virtual:integration-tests' {
  /** Suite name (a folder below test/integration, or '' for test/integration itself) → file → loader. */
  export const suites: Readonly<Record<string, Readonly<Record<string, () => Promise<unknown>>>>>;
}
