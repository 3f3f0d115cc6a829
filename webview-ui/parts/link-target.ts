// Recognises links to files of the workspace: "src/a.ts", "src/a.ts:12", "./a.ts#L12-L20".

export interface FileLink {
  path: string;
  /** 1-based. */
  line?: number;
}

const EXTENSIONS = new Set(
  (
    'ts tsx js jsx mjs cjs mts cts json jsonc md mdx css scss less html vue svelte py pyi rb rs go java kt kts swift c h cc cpp hpp ' +
    'cs php lua sh bash zsh ps1 sql yml yaml toml ini cfg txt xml svg gradle proto graphql lock ipynb'
  ).split(' '),
);

/** For inline code: a path only where it looks like one beyond doubt. */
export function fileLinkOfCode(text: string): FileLink | undefined {
  const match = /^(\.{0,2}\/?(?:[\w@.+-]+[/\\])*[\w@.+-]+)(?::(\d+)(?::\d+|-\d+)?|#L(\d+)(?:-L?\d+)?)?$/.exec(text);
  const path = match?.[1];
  if (path === undefined) return undefined;
  const extension = /\.([A-Za-z0-9]+)$/.exec(path)?.[1];
  if (extension === undefined || !EXTENSIONS.has(extension.toLowerCase())) return undefined;
  return withLine(path, match?.[2] ?? match?.[3]);
}

/** For the target of a Markdown link. Undefined for everything with a scheme but `file:`, and for paths on other machines. */
export function fileLinkOfTarget(target: string): FileLink | undefined {
  if (target === '' || target.startsWith('#') || target.startsWith('//')) return undefined;
  const withoutFile = target.replace(/^file:\/\/(?=\/)/, '');
  const windows = /^\/?[A-Za-z]:[\\/]/.test(withoutFile);
  if (!windows && /^[A-Za-z][\w+.-]*:(?!\d+(?:$|[-:]))/.test(withoutFile)) return undefined;
  const match = /^([^#?]*?)(?::(\d+)(?::\d+|-\d+)?)?(?:#L?(\d+)(?:-L?\d+)?)?(?:[?#].*)?$/.exec(withoutFile);
  const path = match?.[1];
  const decoded = decode(path ?? '');
  return decoded === '' || /^[\\/]{2}/.test(decoded) ? undefined : withLine(decoded, match?.[2] ?? match?.[3]);
}

function withLine(path: string, line: string | undefined): FileLink {
  return line === undefined ? { path } : { path, line: Number(line) };
}

function decode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
