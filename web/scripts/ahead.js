// Lets the browser ask for the first screen together with what every screen needs, rather than after it.

/** The Vite plugin, for chunks of these names. @param {...string} names @returns {import('vite').Plugin} */
export function ahead(...names) {
  return {
    name: 'ahead',
    apply: 'build',
    transformIndexHtml(_, { bundle = {} }) {
      return Object.values(bundle)
        .filter((file) => file.type === 'chunk' && names.includes(file.name))
        .map(({ fileName }) => ({
          tag: 'link',
          attrs: { rel: 'modulepreload', crossorigin: true, href: `/${fileName}` },
          injectTo: 'head',
        }));
    },
  };
}
