/** Examples import the client by the name of its package, as programs do; here that is its source. */
import { registerHooks } from 'node:module';

registerHooks({
  resolve: (specifier, context, next) =>
    next(specifier === 'rollcall-sdk' ? new URL('../src/index.ts', import.meta.url).href : specifier, context),
});
