// Stands in the composer's place while a session of another program is shown: it can only be gone on with in a copy.
import { useLayoutEffect, useRef } from 'preact/hooks';
import { post } from '../host/vscode-api';
import { Button } from '../parts/button';

export function ContinueExternal() {
  const button = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => button.current?.focus(), []);
  return (
    <div class="continue-external">
      <Button
        kind="primary"
        label="Continue in a copy"
        title="Continue in a Deft session; this one stays unchanged"
        buttonRef={button}
        onClick={() => post({ type: 'continueExternal' })}
      />
    </div>
  );
}
