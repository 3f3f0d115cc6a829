// Links inside text: to a file of the workspace, and to the web. Both are opened by the host.
import { defined } from '../../src/shared/defined';
import { isWebAddress } from '../../src/shared/web-address';
import { type ComponentChildren } from 'preact';
import { post } from '../host/vscode-api';
import { fileLinkOfTarget } from './link-target';

export interface FileLinkProps {
  path: string;
  line?: number | undefined;
  children: ComponentChildren;
}

export function FileLink({ path, line, children }: FileLinkProps) {
  const open = () => post({ type: 'openFile', path, ...defined({ line }) });
  return (
    <TextLink title={line === undefined ? `Open ${path}` : `Open ${path}, line ${line}`} onOpen={open}>
      {children}
    </TextLink>
  );
}

/** Any other scheme would reach into VS Code or other programs: its text stays, without a link. */
export function WebLink({ url, children }: { url: string; children: ComponentChildren }) {
  if (!isWebAddress(url)) return <span>{children}</span>;
  return (
    <TextLink title={url} onOpen={() => post({ type: 'openLink', url })}>
      {children}
    </TextLink>
  );
}

/** A small number behind what it proves; the source is its name. */
export function CitationLink({ source, url, children }: { source: string; url: string; children: ComponentChildren }) {
  const file = fileLinkOfTarget(url);
  const isWeb = /^https?:/i.test(url);
  if (!isWeb && file === undefined) return <span title={source}>{children}</span>;
  const open = (): void =>
    post(!isWeb && file !== undefined ? { type: 'openFile', ...file } : { type: 'openLink', url });
  return (
    <sup class="citation">
      <TextLink title={`${source}\n${url}`} label={source} onOpen={open}>
        {children}
      </TextLink>
    </sup>
  );
}

/** Without `href`: VS Code would open it a second time. */
export function TextLink(props: { title: string; label?: string; onOpen: () => void; children: ComponentChildren }) {
  return (
    <a
      class="link"
      role="link"
      tabIndex={0}
      title={props.title}
      aria-label={props.label}
      onClick={props.onOpen}
      onKeyDown={(event) => {
        if (event.key !== 'Enter') return;
        event.preventDefault();
        props.onOpen();
      }}
    >
      {props.children}
    </a>
  );
}
