// The file that a block of code is for, where the block names one: in its fence, or in a comment on its first line.

const named = new RegExp(String.raw`(?:^|\s)(?:title|file|filename|path)=(?:"([^"]+)"|'([^']+)'|(\S+))`);
const looksLikePath = /^(?:\.{0,2}\/)?(?:[\w@.+()-]+\/)*[\w@.+()-]+\.[A-Za-z]\w{0,9}$|^(?:[\w@.+()-]+\/)+[\w@.+()-]+$/;
const comment =
  /^\s*(?:\/\/|#(?!!)|--|;|%|\/\*+|<!--)\s*(?:file(?:name)?:\s*|path:\s*)?(\S{1,300})\s*(?:\*\/|-->)?\s*$/i;

export function codeTarget(info: string, code: string): string | undefined {
  const attribute = named.exec(info);
  const given = attribute?.[1] ?? attribute?.[2] ?? attribute?.[3];
  if (given !== undefined) return given;
  // "ts src/a.ts", "ts:src/a.ts", "12:20:src/a.ts", "src/a.ts".
  for (const word of info.trim().split(/\s+/)) {
    const plain = word.replace(/^(?:\d+:\d+:|[A-Za-z+#]+:(?=[\w.@]))/, '');
    if (plain.length <= 500 && looksLikePath.test(plain)) return plain;
  }
  const first = comment.exec(code.slice(0, 500).split('\n', 1)[0] ?? '')?.[1];
  return first !== undefined && looksLikePath.test(first) ? first : undefined;
}

/** What is run or read rather than put into a file. */
const notForFiles =
  /^(?:ba|z|fi|c)?sh\b|^(?:shell|console|shellsession|terminal|powershell|pwsh|ps1|cmd|bat|text|txt|plaintext|output|log|diff|patch|mermaid)\b/i;

export function canBeApplied(info: string, code: string): boolean {
  return code.trim() !== '' && (codeTarget(info, code) !== undefined || !notForFiles.test(info.trim() || 'text'));
}
