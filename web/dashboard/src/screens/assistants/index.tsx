/** The assistants that people connected, how to switch one off, and how to connect one. */
import './assistants.css';
import { Connect } from './connect.tsx';
import { Connected } from './connected.tsx';
import { SettingsPage } from '../../ui/page.tsx';
import { words } from './words.ts';

export const { ready } = words;

export function Screen() {
  return (
    <SettingsPage title={words.say('title')} className="assistants">
      <p>{words.say('about')}</p>
      <Connected />
      <Connect />
    </SettingsPage>
  );
}
