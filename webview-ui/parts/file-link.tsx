// Links inside text: to a file of the workspace, and to the web. Both are opened by the host.
import { type ComponentChildren } from 'preact';
import { post } from '../host/vscode-api';

export interface FileLinkProps {
  path: string;
  line?: number | undefined;
  children: ComponentChildren;
}

export function FileLink({ path, line, children }: FileLinkProps) {
  const open = () => post({ type: 'openFile', path, ...(line === undefined ? {} : { line }) });
  return (
    <TextLink title={line === undefined ? `Open ${path}` : `Open ${path}, line ${line}`} onOpen={open}>
      {children}
    </TextLink>
  );
}

export function WebLink({ url, children }: { url: string; children: ComponentChildren }) {
  return (
    <TextLink title={url} onOpen={() => post({ type: 'openLink', url })}>
      {children}
    </TextLink>
  );
}

/** Without `href`: VS Code would open it a second time. */
export function TextLink(props: { title: string; onOpen: () => void; children: ComponentChildren }) {
  return (
    <a
      class="link"
      role="link"
      tabIndex={0}
      title={props.title}
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
