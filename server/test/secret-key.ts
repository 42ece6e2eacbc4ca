/** Of tests and measurements alone, so that they leave no key behind in a folder. */
export const SECRET_KEY = Buffer.alloc(32, 'tests').toString('base64');
