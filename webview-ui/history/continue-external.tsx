// Stands in the composer's place while a session of another program is shown: it can only be gone on with in a copy.
import { useLayoutEffect, useRef } from 'preact/hooks';
import { post } from '../host/vscode-api';
import { Button } from '../parts/button';

export function ContinueForeign() {
  const button = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => button.current?.focus(), []);
  return (
    <div class="continue-foreign">
      <Button
        kind="primary"
        label="Continue in a copy"
        title="Go on in a session of Deft; this one stays as it is"
        buttonRef={button}
        onClick={() => post({ type: 'continueForeign' })}
      />
    </div>
  );
}
