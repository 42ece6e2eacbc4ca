/** The drawing of an icon, for `<Icon of>`: `import calendar from 'icon:calendar'`. The build takes it from Lucide. */
declare module 'icon:*' {
  const body: string;
  export default body;
}
