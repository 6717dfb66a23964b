// The bundler makes one style sheet of what is imported.
declare module '*.css';
