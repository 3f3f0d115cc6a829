// What is imported at the first call and kept; where that fails, the next call tries again.

/** An update replaces the files of an extension that runs: what could not be read then can be read a moment later. */
export function importedOnce<Part>(load: () => Promise<Part>): () => Promise<Part> {
  let part: Promise<Part> | undefined;
  return () => {
    if (part !== undefined) return part;
    const loading = load();
    part = loading;
    loading.catch(() => {
      if (part === loading) part = undefined;
    });
    return loading;
  };
}
