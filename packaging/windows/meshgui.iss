; Inno Setup definition of the installer for Windows. UNTRIED: it has never been compiled or run.
;
; On Windows, in the checkout: make the bundle with `py -m PyInstaller --distpath dist packaging\bundle\meshgui.spec`
; (icons first: `py packaging\write_icons.py build\icons`), have it compile its kernels into
; dist\meshgui\_internal\meshgui\resources\kernels as packaging/make-bundle does, then `iscc packaging\windows\meshgui.iss`.

#define Version "0.2.0"

[Setup]
AppId=MeshGUI
AppName=MeshGUI
AppVersion={#Version}
AppPublisher=The MeshGUI authors
DefaultDirName={autopf}\MeshGUI
DefaultGroupName=MeshGUI
DisableProgramGroupPage=yes
LicenseFile=..\..\LICENSE
OutputDir=..\..\dist
OutputBaseFilename=meshgui-{#Version}-setup
SetupIconFile=..\..\build\icons\meshgui.ico
UninstallDisplayIcon={app}\meshgui.exe
Compression=lzma2
SolidCompression=yes
ArchitecturesAllowed=x64compatible
ArchitecturesInstallIn64BitMode=x64compatible
ChangesAssociations=yes
PrivilegesRequiredOverridesAllowed=dialog

[Tasks]
Name: desktopicon; Description: "An icon on the desktop"; Flags: unchecked

[Files]
Source: "..\..\dist\meshgui\*"; DestDir: "{app}"; Flags: recursesubdirs createallsubdirs ignoreversion

[Icons]
Name: "{group}\MeshGUI"; Filename: "{app}\meshgui.exe"
Name: "{autodesktop}\MeshGUI"; Filename: "{app}\meshgui.exe"; Tasks: desktopicon

; Windows knows the last ending only, so a scenario is opened by "Open with", and links by their scheme.
[Registry]
Root: HKA; Subkey: "Software\Classes\Applications\meshgui.exe\shell\open\command"; ValueType: string; ValueData: """{app}\meshgui.exe"" ""%1"""; Flags: uninsdeletekey
Root: HKA; Subkey: "Software\Classes\Applications\meshgui.exe\SupportedTypes"; ValueType: string; ValueName: ".json"; ValueData: ""; Flags: uninsdeletekey
Root: HKA; Subkey: "Software\Classes\.json\OpenWithList\meshgui.exe"; ValueType: none; Flags: uninsdeletekey
Root: HKA; Subkey: "Software\Classes\meshgui"; ValueType: string; ValueData: "URL:MeshGUI"; Flags: uninsdeletekey
Root: HKA; Subkey: "Software\Classes\meshgui"; ValueType: string; ValueName: "URL Protocol"; ValueData: ""
Root: HKA; Subkey: "Software\Classes\meshgui\shell\open\command"; ValueType: string; ValueData: """{app}\meshgui.exe"" ""%1"""
