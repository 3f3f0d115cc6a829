/** Markdown files are imported as text: prompts live beside the tools that send them. */
declare module '*.md' {
  const text: string;
  export default text;
}
