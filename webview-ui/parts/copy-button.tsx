// Copies a text to the clipboard and says so for a moment.
import { useEffect, useState } from 'preact/hooks';
import { announce } from '../state/announce';
import { IconButton } from './button';

interface CopyButtonProps {
  text: () => string;
  label: string;
  icon?: string;
}

export function CopyButton({ text, label, icon = 'copy' }: CopyButtonProps) {
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
  return <IconButton icon={copied ? 'check' : icon} label={label} onClick={() => void copy()} />;
}
