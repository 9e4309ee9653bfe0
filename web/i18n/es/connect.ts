import type { Shape } from "../shape.ts";
import type { connect as zh } from "../zh/connect.ts";

/** How programs use a key or a link. */
export const connect: Shape<typeof zh> = {
  how: "Usar con",
  program: {
    screenshot: "Script de capturas",
    shortcut: "Atajo de iOS",
    windows: "Unidad de Windows",
  },
  does: {
    install: "Instalar",
    shareText: "Compartir un texto",
    shareFile: "Compartir un archivo",
    sharePicture: "Compartir una imagen",
    collect: "Recopilar archivos",
    list: "Listar el contenido",
    upload: "Subir un archivo",
    send: "Enviar un archivo",
    check: "Comprobar la clave",
    drive: "Montar como unidad",
    sync: "Copiar y sincronizar",
    backup: "Respaldar",
    browse: "Explorar archivos",
    assist: "Añadir a un asistente",
  },
  hint: {
    satchel: "Un programa pequeño para cualquier shell POSIX. Guarda la clave en un archivo que solo tú puedes leer.",
    powershell: "Con curl.exe, que forma parte de Windows.",
    sharex: "Abre el archivo en un PC con ShareX, que lo añade como destino.",
    picgo:
      "Necesita el plugin web-uploader de PicGo. Esto es un config.json completo; también puedes escribir los valores de web-uploader en la ventana de PicGo.",
    screenshot:
      "Un script que hace una captura con Flameshot, Spectacle o macOS y la envía. Hazlo ejecutable (chmod u=rwx,go=) y asígnale un atajo de teclado.",
    shortcut:
      "Los iPhone y iPad solo importan atajos firmados por la herramienta de Apple, así que este se crea a mano, una sola vez.",
    vscode:
      "Guárdalo como .vscode/mcp.json en un proyecto o añádelo a tu propio mcp.json (MCP: Open User Configuration).",
    cursor: "Guárdalo como mcp.json en ~/.cursor para todos los proyectos o en la carpeta .cursor de uno.",
  },
  fact: {
    address: "Dirección",
    user: "Usuario",
    password: "Contraseña",
    copy: "Copiar: {{name}}",
  },
  shortcut: {
    make: "En la app Atajos, crea un atajo. En sus detalles, activa “Mostrar en hoja para compartir” y haz que reciba imágenes y archivos.",
    request:
      "Añade la acción “Obtener contenido de URL” con la URL {{address}}, muestra más opciones y elige el método POST.",
    header: "En Encabezados, añade {{header}} con la clave como texto.",
    body: "Elige Formulario como cuerpo de la solicitud y añade un campo de tipo Archivo: clave {{field}}, valor “Entrada de atajo”.",
    copy: "Añade la acción “Copiar al portapapeles”. Comparte un archivo desde cualquier app con este atajo y se copiará su enlace.",
    show: "Añade la acción “Mostrar contenido”. Comparte un archivo desde cualquier app con este atajo y se enviará aquí.",
    copyAddress: "Copiar dirección",
    copyKey: "Copiar clave",
    qr: "Código QR de la dirección",
    noSecret: "El código QR solo contiene la dirección, nunca la clave. Lleva la clave al teléfono de forma segura.",
    scan: "Escanea el código QR para tener la dirección en el teléfono.",
  },
  key: {
    label: "Clave",
    safe: "Quien tenga esta clave tiene sus permisos, así que guárdala bien.",
    title: "Usar “{{name}}”",
    copy: "Copiar clave",
    anyUser: "Cualquiera, por ejemplo key",
    theKey: "La clave de arriba",
    inFile: "El archivo contiene la clave: cuídalo igual que la clave.",
    finder: "Ir › Conectarse al servidor, con esta dirección",
    tooShort:
      "Esta clave tiene menos de {{minSecret}} caracteres y no puede firmar solicitudes S3. Crea una más larga.",
    done: "Listo",
  },
  save: "Guardar {{file}}",
  copy: "Copiar: {{does}} ({{name}})",
};
