// Sets the theme that was chosen in this browser before the first paint.
try {
  const theme = localStorage.getItem("atelier.theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
} catch {
  // Without storage, the theme follows the system.
}
