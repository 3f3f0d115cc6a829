// Pages that were fetched a moment ago: a second question about one costs no second request.
import { type Page } from './web-fetch-page';

export interface PageCache {
  get(url: string, now: number): Page | undefined;
  put(url: string, page: Page, now: number): void;
  /** Pages that it holds. */
  size(): number;
}

export interface PageCacheOptions {
  ttlMs: number;
  /** For all texts together; the oldest pages go first. */
  maxChars: number;
}

export const defaultCacheOptions: PageCacheOptions = { ttlMs: 15 * 60_000, maxChars: 10_000_000 };

/** Cleans itself whenever it is used. */
export function createPageCache({ ttlMs, maxChars }: PageCacheOptions = defaultCacheOptions): PageCache {
  /** Oldest first. */
  const entries = new Map<string, { page: Page; at: number }>();
  const clean = (now: number): void => {
    let chars = [...entries.values()].reduce((sum, { page }) => sum + page.text.length, 0);
    for (const [url, { page, at }] of entries) {
      if (now - at < ttlMs && chars <= maxChars) return;
      entries.delete(url);
      chars -= page.text.length;
    }
  };
  return {
    get(url, now) {
      clean(now);
      return entries.get(url)?.page;
    },
    put(url, page, now) {
      entries.delete(url);
      entries.set(url, { page, at: now });
      clean(now);
    },
    size: () => entries.size,
  };
}
