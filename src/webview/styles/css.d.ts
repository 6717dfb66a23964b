// The bundler combines the imported files into one style sheet.
declare module '*.css';
