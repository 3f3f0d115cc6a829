/** Markdown files are imported as text: prompts lie next to the tools that send them. */
declare module '*.md' {
  const text: string;
  export default text;
}

/** So are programs that are given to an interpreter as they are. */
declare module '*.txt' {
  const text: string;
  export default text;
}

declare module '*.py' {
  const text: string;
  export default text;
}
