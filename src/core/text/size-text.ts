// Sizes as the model reads them: "312B", "40KB", "1.2MB".

export function formatSize(size: number): string {
  if (size < 1_024) return `${size}B`;
  if (size < 1_024 * 1_024) return `${Math.round(size / 1_024)}KB`;
  return `${(size / 1_024 / 1_024).toFixed(1)}MB`;
}

/** 12345 as "12,345". The first number that toLocaleString writes in a process takes it 10 ms. */
export function inThousands(count: number): string {
  return String(count).replace(/\B(?=(?:\d{3})+$)/g, ',');
}
