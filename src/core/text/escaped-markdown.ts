// Text that stands in Markdown or HTML and is shown as it is.

/** On one line. */
export function escapedMarkdown(text: string): string {
  return text.replace(/\s+/g, ' ').replace(/[\\`*_[\]<>&~|]/g, '\\$&');
}

export function escapedHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
