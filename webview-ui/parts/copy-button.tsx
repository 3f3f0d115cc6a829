// Copies a text to the clipboard and says so for a moment.
import { useEffect, useState } from 'preact/hooks';
import { announce } from '../state/announce';
import { IconButton } from './button';

export function CopyButton({ text, label }: { text: () => string; label: string }) {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return undefined;
    const timer = setTimeout(() => setCopied(false), 1_500);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = async () => {
    await navigator.clipboard.writeText(text());
    setCopied(true);
    announce('Copied');
  };
  return <IconButton icon={copied ? 'check' : 'copy'} label={label} onClick={() => void copy()} />;
}
