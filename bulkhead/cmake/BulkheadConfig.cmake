# SPDX-License-Identifier: MIT
#
# Bulkhead as a CMake package: find_package(Bulkhead) with this folder in Bulkhead_DIR, or
# add_subdirectory of the folder above. It defines one command,
#
#   bulkhead_image(NAME DECLARATION system.toml CPU cortex-m4f TICK_CYCLES 250000 SOURCES a.c b.c)
#
# which declares the executable NAME.elf: the declared processes, and the kernel with their tables.
# The declaration distinguishes sources by the names of their objects, which CMake makes "a.c.o" or
# "a.c.obj": "*/a.c.*" is the pattern for its `files` and `code_files`.
#
# The kernel is linked by itself, into one closed object. Every image is checked after its link, and
# refused if it contains privileged code outside the kernel
# (tools/bulkhead_declare/close_kernel.py, check_image.py).
#
#   CPU          cortex-m3, cortex-m4, cortex-m4f, cortex-m7f, cortex-m33f or rv32imc. The
#                declaration of a cortex-m33f, which runs in the Secure state, has architecture =
#                "armv8-m", and that of rv32imc has architecture = "rv32"
#   TICK_CYCLES  the tick's period, in cycles of the processor; for rv32imc in counts of mtime
#   HOOKS        the observer of the kernel: none (the default) or checks (core/hooks)
#   START        a start file instead of startup/*/start.c, for a board that needs more set-up
#
# Handles are in <handles.h>. Sources are compiled with the project's own flags.

include_guard(GLOBAL)
find_package(Python3 3.11 REQUIRED COMPONENTS Interpreter)

# The values are properties, because variables that add_subdirectory sets are lost at the end of its
# folder.
get_filename_component(folder "${CMAKE_CURRENT_LIST_DIR}" DIRECTORY)
set_property(GLOBAL PROPERTY BULKHEAD_FOLDER "${folder}")
set_property(GLOBAL PROPERTY BULKHEAD_PYTHON "${Python3_EXECUTABLE}")
# The flags are those of platform/cores; a test compares both. The FPU of a Cortex-M7 may have no
# double precision.
set_property(GLOBAL PROPERTY BULKHEAD_cortex-m3 -mcpu=cortex-m3 -mthumb)
set_property(GLOBAL PROPERTY BULKHEAD_cortex-m4 -mcpu=cortex-m4 -mthumb -mfloat-abi=soft)
set_property(GLOBAL PROPERTY BULKHEAD_cortex-m4f
    -mcpu=cortex-m4 -mthumb -mfloat-abi=hard -mfpu=fpv4-sp-d16)
set_property(GLOBAL PROPERTY BULKHEAD_cortex-m7f
    -mcpu=cortex-m7 -mthumb -mfloat-abi=hard -mfpu=fpv5-sp-d16)
set_property(GLOBAL PROPERTY BULKHEAD_cortex-m33f
    -mcpu=cortex-m33 -mthumb -mfloat-abi=hard -mfpu=fpv5-sp-d16)
set_property(GLOBAL PROPERTY BULKHEAD_rv32imc
    -misa-spec=2.2 -march=rv32imc -mabi=ilp32 -mcmodel=medany --specs=picolibc.specs)

function(bulkhead_image name)
    cmake_parse_arguments(PARSE_ARGV 1 image "" "DECLARATION;CPU;TICK_CYCLES;START;HOOKS" "SOURCES")
    foreach(key DECLARATION CPU TICK_CYCLES)
        if(NOT image_${key})
            message(FATAL_ERROR "bulkhead_image(${name}) has no ${key}; add it")
        endif()
    endforeach()
    get_property(folder GLOBAL PROPERTY BULKHEAD_FOLDER)
    get_property(flags GLOBAL PROPERTY BULKHEAD_${image_CPU})
    if(NOT flags)
        message(FATAL_ERROR "bulkhead_image(${name}): CPU is ${image_CPU}; "
            "use cortex-m3, cortex-m4, cortex-m4f, cortex-m7f, cortex-m33f or rv32imc")
    endif()
    _bulkhead_architecture("${image_CPU}" arch)
    set(made "${CMAKE_CURRENT_BINARY_DIR}/${name}.bulkhead")
    _bulkhead_declare("${image_DECLARATION}" "${made}")
    if(NOT image_HOOKS)
        set(image_HOOKS none)
    endif()
    if(NOT EXISTS "${folder}/core/hooks/${image_HOOKS}/hooks.h")
        message(FATAL_ERROR "bulkhead_image(${name}): HOOKS is ${image_HOOKS}; "
            "use none or checks")
    endif()
    _bulkhead_kernel("${name}" "${made}" "${image_CPU}" "${image_START}" "${image_HOOKS}")
    target_compile_options(${name}_bulkhead_objects PRIVATE ${flags})
    target_compile_definitions(${name}_bulkhead_objects PRIVATE
        BULKHEAD_TICK_CYCLES=${image_TICK_CYCLES})
    _bulkhead_close("${name}" "${made}" "${flags}")

    file(GLOB user CONFIGURE_DEPENDS "${folder}/user/*.c" "${folder}/arch/${arch}/user/*.S")
    add_executable(${name} ${image_SOURCES} "${made}/user_objects.c" ${user}
        "${made}/closed_kernel.o")
    target_include_directories(${name} PRIVATE "${made}" "${folder}/include"
        "${folder}/arch/${arch}/include"
        # for the assembler files that the kernel has in user space
        "$<$<COMPILE_LANGUAGE:ASM>:${folder}/arch/${arch}>")
    # C++ is compiled without features that need a run-time library, so that the linker of C links
    # it.
    target_compile_options(${name} PRIVATE ${flags} -ffunction-sections
        "$<$<COMPILE_LANGUAGE:CXX>:-fno-exceptions;-fno-rtti;-fno-threadsafe-statics>")
    _bulkhead_map_paths(${name} "${made}")
    if(arch STREQUAL armv7-m)
        target_link_options(${name} PRIVATE --specs=nano.specs)
    endif()
    target_link_options(${name} PRIVATE ${flags} -nostartfiles
        "-T${made}/layout.ld" "-Wl,-Map=${made}/image.map"
        -Wl,--gc-sections,--orphan-handling=error,--build-id=none)
    set_target_properties(${name} PROPERTIES SUFFIX .elf LINKER_LANGUAGE C BULKHEAD_FLAGS "${flags}"
        LINK_DEPENDS "${made}/layout.ld")
    _bulkhead_check("${name}" "${made}")
endfunction()

# Sets `result` to the folder of arch/ for a CPU.
function(_bulkhead_architecture cpu result)
    set(found armv7-m) # Armv8-M is built from the folder of Armv7-M as well
    if(cpu MATCHES "^rv32")
        set(found rv32)
    endif()
    set(${result} ${found} PARENT_SCOPE)
endfunction()

# Generates tables, vectors and linker script whenever the declaration or the generator changes.
function(_bulkhead_declare declaration made)
    get_property(folder GLOBAL PROPERTY BULKHEAD_FOLDER)
    get_property(python GLOBAL PROPERTY BULKHEAD_PYTHON)
    get_filename_component(declaration "${declaration}" ABSOLUTE)
    file(GLOB generator CONFIGURE_DEPENDS "${folder}/tools/bulkhead_declare/*.py")
    file(MAKE_DIRECTORY "${made}")
    add_custom_command(
        OUTPUT "${made}/kernel_tables.c" "${made}/kernel_options.c" "${made}/user_objects.c"
            "${made}/vectors.c" "${made}/handles.h" "${made}/handles.hpp" "${made}/handles.rs"
            "${made}/kernel_features.h" "${made}/layout.ld"
            "${made}/interface.json"
        COMMAND "${CMAKE_COMMAND}" -E env "PYTHONPATH=${folder}/tools"
            "${python}" -B -m bulkhead_declare "${declaration}" "${made}"
        DEPENDS "${declaration}" ${generator}
        COMMENT "Declaring ${declaration}"
        VERBATIM)
endfunction()

# Compiles the kernel's objects, without link-time optimisation whatever the project's options.
function(_bulkhead_kernel name made cpu start hooks)
    get_property(folder GLOBAL PROPERTY BULKHEAD_FOLDER)
    _bulkhead_architecture("${cpu}" name_of_arch)
    file(GLOB startup CONFIGURE_DEPENDS "${folder}/startup/${name_of_arch}/*.[cS]")
    if(start)
        list(FILTER startup EXCLUDE REGEX "/start\\.c$")
        list(APPEND startup "${start}")
    endif()
    set(fpu without_fpu)
    if(cpu MATCHES "f$")
        set(fpu with_fpu)
    endif()
    set(arch "${folder}/arch/${name_of_arch}")
    set(unit "${arch}/pmsav7") # RV32 has no folder of a protection unit
    if(cpu MATCHES "m33")
        set(unit "${folder}/arch/armv8-m")
    endif()
    file(GLOB kernel CONFIGURE_DEPENDS "${folder}/core/*.c" "${folder}/core/hooks/${hooks}/*.c"
        "${arch}/*.c" "${arch}/*.S" "${arch}/${fpu}/*.S")
    add_library(${name}_bulkhead_objects OBJECT ${kernel} ${startup}
        "${folder}/startup/words.c" "${made}/kernel_tables.c" "${made}/kernel_options.c"
        "${made}/vectors.c")
    set_target_properties(${name}_bulkhead_objects PROPERTIES INTERPROCEDURAL_OPTIMIZATION OFF)
    target_include_directories(${name}_bulkhead_objects PRIVATE "${made}" "${folder}/core"
        "${folder}/core/hooks/${hooks}"
        "${folder}/include" "${arch}" "${unit}" "${arch}/include")
    # -g, so that tools/gdb can read the kernel in every build; it is not loaded.
    target_compile_options(${name}_bulkhead_objects PRIVATE -g -ffunction-sections -fno-lto
        -fno-common $<$<COMPILE_LANGUAGE:C>:-std=c11>)
    _bulkhead_map_paths(${name}_bulkhead_objects "${made}")
endfunction()

function(_bulkhead_close name made flags)
    get_property(folder GLOBAL PROPERTY BULKHEAD_FOLDER)
    get_property(python GLOBAL PROPERTY BULKHEAD_PYTHON)
    list(TRANSFORM flags PREPEND "--flag=")
    add_custom_command(
        OUTPUT "${made}/closed_kernel.o"
        COMMAND "${CMAKE_COMMAND}" -E env "PYTHONPATH=${folder}/tools"
            "${python}" -B -m bulkhead_declare.close_kernel
            --interface "${made}/interface.json" --linker "${CMAKE_C_COMPILER}"
            ${flags} --output "${made}/closed_kernel.o"
            "$<TARGET_OBJECTS:${name}_bulkhead_objects>"
        DEPENDS ${name}_bulkhead_objects "$<TARGET_OBJECTS:${name}_bulkhead_objects>"
            "${made}/interface.json" "${folder}/tools/bulkhead_declare/close_kernel.py"
        COMMAND_EXPAND_LISTS
        COMMENT "Closing the kernel of ${name}"
        VERBATIM)
endfunction()

# Checks the image after every link, and removes an image that is refused.
function(_bulkhead_check name made)
    get_property(folder GLOBAL PROPERTY BULKHEAD_FOLDER)
    get_property(python GLOBAL PROPERTY BULKHEAD_PYTHON)
    add_custom_command(TARGET ${name} POST_BUILD
        COMMAND "${CMAKE_COMMAND}" -E env "PYTHONPATH=${folder}/tools"
            "${python}" -B -m bulkhead_declare.check_image
            --interface "${made}/interface.json" --kernel "${made}/closed_kernel.o"
            --map "${made}/image.map" "$<TARGET_FILE:${name}>"
        COMMENT "Checking that only the kernel of ${name} is privileged"
        VERBATIM)
endfunction()

# Makes an image independent of the folders of the kernel, the project and the build. GCC 12 does
# not pass -ffile-prefix-map to the assembler, but it does pass the two options that this one
# combines.
function(_bulkhead_map_paths target made)
    get_property(folder GLOBAL PROPERTY BULKHEAD_FOLDER)
    foreach(kind -fdebug-prefix-map -fmacro-prefix-map)
        target_compile_options(${target} PRIVATE "${kind}=${CMAKE_SOURCE_DIR}=."
            "${kind}=${CMAKE_BINARY_DIR}=build" "${kind}=${folder}=bulkhead"
            "${kind}=${made}=made")
    endforeach()
endfunction()

# Links a static library of Rust into an image: the crate in FOLDER, whose library has the name
# LIBRARY, for a TARGET of rustc. It is built with its Cargo.lock. CARGO_OPTIONS are further options
# of cargo. The pattern "*libNAME.a:*" in the declaration's `files` is its data.
function(bulkhead_rust name)
    cmake_parse_arguments(PARSE_ARGV 1 rust "" "LIBRARY;FOLDER;TARGET" "CARGO_OPTIONS")
    foreach(key LIBRARY FOLDER TARGET)
        if(NOT rust_${key})
            message(FATAL_ERROR "bulkhead_rust(${name}) has no ${key}; add it")
        endif()
    endforeach()
    find_program(BULKHEAD_CARGO cargo REQUIRED)
    set(made "${CMAKE_CURRENT_BINARY_DIR}/${name}.bulkhead")
    set(built "${CMAKE_CURRENT_BINARY_DIR}/${name}.rust")
    set(library "${built}/${rust_TARGET}/release/lib${rust_LIBRARY}.a")
    get_filename_component(crate "${rust_FOLDER}" ABSOLUTE)
    add_custom_target(${name}_rust
        COMMAND "${CMAKE_COMMAND}" -E env "BULKHEAD_MADE=${made}"
            "${BULKHEAD_CARGO}" build --release --locked --quiet --target "${rust_TARGET}"
            --target-dir "${built}" ${rust_CARGO_OPTIONS}
        WORKING_DIRECTORY "${crate}"
        DEPENDS "${made}/handles.rs"
        BYPRODUCTS "${library}"
        COMMENT "Building lib${rust_LIBRARY}.a with cargo"
        VERBATIM)
    add_dependencies(${name} ${name}_rust)
    target_link_libraries(${name} PRIVATE "${library}")
    # some object files lack the note that says this, so the linker is told
    target_link_options(${name} PRIVATE -Wl,-z,noexecstack)
    set_property(TARGET ${name} APPEND PROPERTY LINK_DEPENDS "${library}")
endfunction()

# Adds the functions of CMSIS-RTOS2 to an image. One of its sources defines `bulkhead_os`, the list
# of objects (cmsis-rtos2/include/bulkhead/os_objects.h). The library has no variables, so no
# pattern of the declaration names it. A folder with Arm's own cmsis_os2.h comes first if it was
# added to the image before.
function(bulkhead_cmsis_rtos2 name)
    get_property(folder GLOBAL PROPERTY BULKHEAD_FOLDER)
    file(GLOB sources CONFIGURE_DEPENDS "${folder}/cmsis-rtos2/*.c")
    target_sources(${name} PRIVATE ${sources})
    target_include_directories(${name} PRIVATE "${folder}/cmsis-rtos2/include")
endfunction()

# Gives a process of an image the C library: SOURCES are those of the process, HEAP_BYTES the size
# of its heap, and MUTEX, if its threads allocate at the same time, the name of a mutex of the
# process. EXPORTS are the functions that the declaration names as entries of its threads. The
# process defines bulkhead_libc_write (libc/heap.h) for its output. The library is newlib on Arm and
# picolibc on RV32.
#
# The sources are linked with a copy of the library into one object, NAME.process.o, in which every
# other symbol is local: no process shares the state of the library. "*NAME.process.o" is the
# pattern for the declaration's `files` and `code_files`.
function(bulkhead_libc name)
    cmake_parse_arguments(PARSE_ARGV 1 libc "" "PROCESS;HEAP_BYTES;MUTEX" "SOURCES;EXPORTS")
    foreach(key PROCESS HEAP_BYTES SOURCES EXPORTS)
        if(NOT libc_${key})
            message(FATAL_ERROR "bulkhead_libc(${name}) has no ${key}; add it")
        endif()
    endforeach()
    get_property(folder GLOBAL PROPERTY BULKHEAD_FOLDER)
    get_property(python GLOBAL PROPERTY BULKHEAD_PYTHON)
    get_target_property(flags ${name} BULKHEAD_FLAGS)
    set(library newlib)
    set(link --specs=nano.specs -Wl,-d)
    if(flags MATCHES "rv32") # without the linker script of the library
        set(library picolibc)
        set(script "${CMAKE_CURRENT_BINARY_DIR}/${name}.bulkhead/empty.ld")
        file(WRITE "${script}" "")
        set(link "-T${script}" -Wl,-d,--no-gc-sections -DPICOLIBC_INTEGER_PRINTF_SCANF)
    endif()
    set(objects ${name}_${libc_PROCESS}_objects)
    set(whole "${CMAKE_CURRENT_BINARY_DIR}/${libc_PROCESS}.process.o")
    add_library(${objects} OBJECT ${libc_SOURCES} "${folder}/libc/heap.c"
        "${folder}/libc/${library}.c")
    target_include_directories(${objects} PRIVATE $<TARGET_PROPERTY:${name},INCLUDE_DIRECTORIES>)
    target_compile_options(${objects} PRIVATE $<TARGET_PROPERTY:${name},COMPILE_OPTIONS>)
    target_compile_definitions(${objects} PRIVATE BULKHEAD_HEAP_BYTES=${libc_HEAP_BYTES}
        $<$<BOOL:${libc_MUTEX}>:BULKHEAD_LIBC_MUTEX=${libc_MUTEX}>)
    add_dependencies(${objects} ${name}_bulkhead_objects) # which also generates handles.h
    list(TRANSFORM libc_EXPORTS PREPEND "--keep-global-symbol=" OUTPUT_VARIABLE kept)
    set(errno "")
    if(library STREQUAL picolibc)
        set(errno COMMAND "${CMAKE_COMMAND}" -E env "PYTHONPATH=${folder}/tools"
            "${python}" -B -m bulkhead_declare.process_errno
            "${whole}" "$<TARGET_OBJECTS:${objects}>")
        list(APPEND kept --rename-section=.tbss=.bss.tbss --rename-section=.tdata=.data.tdata)
    endif()
    add_custom_command(
        OUTPUT "${whole}"
        COMMAND "${CMAKE_C_COMPILER}" ${flags} -r -nostdlib ${link}
            "$<TARGET_OBJECTS:${objects}>" -Wl,--start-group -lc -lgcc -Wl,--end-group
            -o "${whole}"
        ${errno}
        COMMAND "${CMAKE_OBJCOPY}" ${kept} "${whole}"
        DEPENDS "$<TARGET_OBJECTS:${objects}>" ${objects}
            "${folder}/tools/bulkhead_declare/process_errno.py"
        COMMAND_EXPAND_LISTS
        COMMENT "Linking process ${libc_PROCESS} with its own C library"
        VERBATIM)
    target_sources(${name} PRIVATE "${whole}")
    set_source_files_properties("${whole}" PROPERTIES EXTERNAL_OBJECT TRUE GENERATED TRUE)
endfunction()
