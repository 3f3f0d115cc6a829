// The models that GET /v1/models lists, in pages as the real API cuts them.

/** The fields of a model's entry that clients read; the wire has more. */
export interface ListedModel {
  readonly type: 'model';
  readonly id: string;
  readonly display_name: string;
  readonly created_at: string;
  readonly max_input_tokens: number | null;
  readonly max_tokens: number | null;
  readonly [key: string]: unknown;
}

/** An entry for a model id, with the limits of today's models. */
export function listedModel(id: string, fields: Partial<ListedModel> = {}): ListedModel {
  const small = id.includes('haiku');
  return {
    type: 'model',
    id,
    display_name: id
      .replace(/-\d{8}$/, '')
      .split('-')
      .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
      .join(' '),
    created_at: '2026-06-01T00:00:00Z',
    max_input_tokens: small ? 200_000 : 1_000_000,
    max_tokens: small ? 64_000 : 128_000,
    ...fields,
  };
}

/** One page: `limit` (20 where absent) entries after `after_id`. */
export function modelPage(models: readonly ListedModel[], query: URLSearchParams): Record<string, unknown> {
  const limit = Number(query.get('limit') ?? 20);
  const after = query.get('after_id');
  const start = after === null ? 0 : models.findIndex((model) => model.id === after) + 1;
  const data = models.slice(start, start + limit);
  return {
    data,
    has_more: start + limit < models.length,
    first_id: data[0]?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
  };
}
