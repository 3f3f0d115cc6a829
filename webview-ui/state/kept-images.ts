// Images outlive their page: the host holds them, the page's own state only their names, since it is copied whole with every change.
import type { KeptImage } from '../../src/shared/answers';
import { type ComposerImage } from '../../src/shared/written-message';
import { post, request } from '../host/vscode-api';

/** An image with a name of its own, under which the host keeps it. */
export interface DraftImage extends ComposerImage {
  key: string;
}

/** Names that the host knows. */
const held = new Set<string>();

/** One that has a name keeps it. */
export function withKey(image: ComposerImage & { key?: string }): DraftImage {
  return { ...image, key: image.key ?? newKey() };
}

/** The host keeps these from now on, and no others but those that are `awaited` from it. */
export function keepImages(all: readonly DraftImage[], awaited: readonly string[]): void {
  for (const { key, name, mediaType, data } of all) {
    if (held.has(key)) continue;
    held.add(key);
    post({ type: 'keepImage', id: key, image: { name, mediaType, data } });
  }
  const needed = new Set([...all.map(({ key }) => key), ...awaited]);
  const ids = [...held].filter((key) => !needed.has(key));
  if (ids.length === 0) return;
  for (const id of ids) held.delete(id);
  post({ type: 'dropImages', ids });
}

/** Those of them that the host still has. */
export async function readImages(ids: readonly string[]): Promise<readonly KeptImage[]> {
  for (const id of ids) held.add(id);
  return request('keptImages', { ids: [...ids] });
}

function newKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
