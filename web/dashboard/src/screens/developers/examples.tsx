/** Getting started: the same request as a shell command, and as a program with the client. */
import { Copy } from '../../ui/copy.tsx';
import { curlOf, EXAMPLES, programOf } from './examples.ts';
import { useAddress } from '../../app/address.ts';
import { words } from './words.ts';

const WAYS = { curl: curlOf, sdk: programOf } as const;
type Way = keyof typeof WAYS;

export function Examples() {
  const [address, change] = useAddress();
  const way: Way = address.as === 'sdk' ? 'sdk' : 'curl';
  return (
    <>
      <p>{words.say('examples.about')}</p>
      <p>
        <a href="/docs">{words.say('examples.docs')}</a>
      </p>
      <fieldset>
        <legend>{words.say('examples.as')}</legend>
        {(Object.keys(WAYS) as Way[]).map((one) => (
          <label key={one} className="box">
            <input type="radio" name="as" checked={way === one} onChange={() => change({ as: one })} />{' '}
            {words.say(`examples.${one}`)}
          </label>
        ))}
      </fieldset>
      {EXAMPLES.map((one) => (
        <div key={one.name}>
          <h3>{words.say(`example.${one.name}`)}</h3>
          <Copy label={words.say(`example.${one.name}`)} text={WAYS[way](one, location.origin)} />
        </div>
      ))}
    </>
  );
}
