// What a text of a reply is based on: the citations that the API sends with it, made readable for the user.
import { type TextBlock } from '../wire/wire';

export interface Source {
  title: string;
  /** http or https; left out where it is nothing of the web. */
  url?: string;
  /** A file of this machine. */
  file?: string;
  /** The words that are cited; empty where the API gives none. */
  quote: string;
}

/** `unknown` all through: the API adds kinds of citations. Those that name nothing are left out. */
export function sourcesOf({ citations }: TextBlock): Source[] {
  return (citations ?? []).flatMap((citation) =>
    typeof citation === 'object' && citation !== null ? (sourceOf(citation as Fields) ?? []) : [],
  );
}

/** The same place of the same source is one. */
export function sourceKey({ title, url, file }: Source): string {
  return url ?? file ?? title;
}

type Fields = Record<string, unknown>;

function sourceOf(citation: Fields): Source | undefined {
  const text = (name: string): string => {
    const value = citation[name];
    return typeof value === 'string' ? value.replace(/\s+/g, ' ').trim() : '';
  };
  const quote = text('cited_text');
  switch (citation['type']) {
    case 'web_search_result_location':
    case 'search_result_location': {
      const place = text(citation['type'] === 'web_search_result_location' ? 'url' : 'source');
      const title = text('title') || place;
      return title === '' ? undefined : { title, ...placeOf(place), quote };
    }
    case 'char_location':
    case 'page_location':
    case 'content_block_location': {
      const name = text('document_title');
      const index = citation['document_index'];
      const title = `${name || (typeof index === 'number' ? `Document ${index + 1}` : 'A document')}${pagesOf(citation)}`;
      return { title, ...(isFile(name) ? { file: name } : {}), quote };
    }
    default:
      return undefined;
  }
}

function placeOf(place: string): Pick<Source, 'url' | 'file'> {
  if (/^https?:\/\//i.test(place) && URL.canParse(place)) return { url: place };
  return isFile(place) ? { file: place } : {};
}

/** A path, and nothing that only might be one. */
function isFile(place: string): boolean {
  return /^(?:\/(?!\/)|[A-Za-z]:[\\/]|\.{1,2}\/)\S/.test(place);
}

/** The end page of a citation is the first one that is no longer meant. */
function pagesOf({ start_page_number: start, end_page_number: end }: Fields): string {
  if (typeof start !== 'number') return '';
  return typeof end === 'number' && end - 1 > start ? `, pages ${start}–${end - 1}` : `, page ${start}`;
}
