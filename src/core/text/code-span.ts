// Text as a code span of Markdown.

/** A span that its text cannot end. */
export function codeSpan(text: string): string {
  return text.includes('`') ? `\`\` ${text} \`\`` : `\`${text}\``;
}
