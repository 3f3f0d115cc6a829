// What a drag carries: places in VS Code, files of the system, or text.
export interface DraggedFile {
  file: File;
  folder: boolean;
}

export interface Dragged {
  /** Of files, folders and editors in VS Code. */
  uris: string[];
  files: DraggedFile[];
  text: string;
}

/** Read at once: a drag is empty as soon as its event is over. */
export function dragged(data: DataTransfer): Dragged {
  const files = [...data.items].flatMap((item): DraggedFile[] => {
    const file = item.kind === 'file' ? item.getAsFile() : null;
    return file ? [{ file, folder: item.webkitGetAsEntry()?.isDirectory === true }] : [];
  });
  const links = uriLines(data.getData('text/uri-list'));
  const own = uriLines(data.getData('application/vnd.code.uri-list'));
  const uris = [own, resourceUris(data.getData('resourceurls')), files.length > 0 ? [] : links].find(
    (some) => some.length > 0,
  );
  const places = (uris ?? []).filter((uri) => !isWebLink(uri));
  return { uris: places, files, text: data.getData('text/plain') || links.join('\n') };
}

/** Lines of a `text/uri-list` that are URIs. */
export function uriLines(list: string): string[] {
  return list.split(/\r?\n/).filter((line) => /^[a-z][\w+.-]*:/i.test(line));
}

/** In an order of its own, VS Code has them as JSON too. */
export function resourceUris(json: string): string[] {
  try {
    const uris: unknown = JSON.parse(json);
    return Array.isArray(uris) ? uris.filter((uri) => typeof uri === 'string') : [];
  } catch {
    return [];
  }
}

function isWebLink(uri: string): boolean {
  return /^(?:https?|mailto|data|blob):/i.test(uri);
}
