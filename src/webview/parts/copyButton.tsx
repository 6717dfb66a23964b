import * as l10n from '@vscode/l10n';
import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { IconButton } from './icon';

/** Copies a text, and shows for a moment that it has. */
export function CopyButton({ text }: { readonly text: string }): VNode {
  const [copied, setCopied] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const copy = (): void => {
    void navigator.clipboard.writeText(text).then(() => {
      setCopied(true);
      clearTimeout(timer.current);
      timer.current = setTimeout(() => setCopied(false), 1500);
    });
  };
  return (
    <IconButton
      icon={copied ? 'check' : 'copy'}
      label={copied ? l10n.t('Copied') : l10n.t('Copy')}
      onClick={copy}
    />
  );
}
